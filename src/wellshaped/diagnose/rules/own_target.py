"""A loss compares a prediction with itself: it is 0, and so is its gradient.

**What happens.** `criterion(out, out)`, or `criterion(out, out.detach())`, runs and gives 0 from
the first step on. No parameter gets a gradient other than 0; the targets never reach the loss.

**Why.** Both arguments hold the same values, whatever the parameters are.

    loss = F.mse_loss(out, out)
    loss = F.mse_loss(out, y)

**Repair.** Give the loss the targets of the batch.

**How it is decided.** The run follows both arguments of a loss of differences back through
copies and `detach`: they are one tensor that parameters took part in, and the loss is 0.

**Not a fault** is the input of an autoencoder as its target; a second pass of the same model;
a target made from the prediction by other operations, as in self-training; losses other than
those of differences, where a tensor against itself may be meant, such as an entropy.
"""

from typing import Any, Final

from wellshaped.diagnose.loss import names_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS317", "own-target", 30
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` compares a prediction with itself"}
WHYS = {
    "": "Input and target are the same values, so the loss is 0 and so is every gradient. The "
    "targets of the batch never reach it."
}
TITLES = {
    "meant": "compare with `{name}`",
    "target": "give the loss the targets of the batch",
}

FIRES = (
    """
x, y, net = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 1)
out = net(x)
F.mse_loss(out, out)
""",
    """
x, y, net = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 1)
out = net(x)
target = out.detach().clone()
nn.L1Loss()(out, target)
""",
)
QUIET = (
    """
x, net = torch.randn(8, 3), nn.Linear(3, 3)
F.mse_loss(net(x), x)
""",
    """
x, net = torch.randn(8, 3), nn.Linear(3, 1)
F.mse_loss(net(x), net(x).detach())
""",
    """
x, net = torch.randn(8, 3), nn.Linear(3, 1)
out = net(x)
F.mse_loss(out, out.round().detach())
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a loss whose two sides are one tensor."""
    if observation.options.get("hazard") != "itself":
        return None
    facts: dict[str, Any] = names_of(observation)
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, ("target",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The data beside the call that has the shape of the prediction."""
    target = finding.observation.operand("target")
    passage = target.passage if target else None
    if passage is None or passage.span is None:
        return (Repair("target"),)
    names = finding.observation.options["meant"]
    file, span = passage.place.file, passage.span
    found = (Repair("meant", {"name": each}, edits=(Edit(file, span, each),)) for each in names)
    return tuple(found) or (Repair("target"),)
