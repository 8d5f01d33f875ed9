"""A prediction is compared with itself: the difference is 0, and so is its gradient.

**What happens.** `criterion(out, out)`, or `criterion(out, out.detach())`, runs and gives 0 from
the first step on. No parameter gets a gradient other than 0; the targets never reach the loss.
So does the ratio of a policy to its old self, `exp(logp - old)`, where `old` was not detached: it
is 1, and whatever it weights trains nothing.

**Why.** Both arguments hold the same values, whatever the parameters are.

    loss = F.mse_loss(out, out)
    loss = F.mse_loss(out, y)

**Repair.** Give the loss the targets of the batch; take old log-probabilities without their
gradient.

**How it is decided.** The run follows both arguments of a loss of differences back through
copies and `detach`: they are one tensor that parameters took part in, and the loss is 0. Of a
ratio, both sides have the same values and a gradient to the same parameters.

**Not a fault** is the input of an autoencoder as its target; a second pass of the same model;
a target made from the prediction by other operations, as in self-training; losses other than
those of differences, where a tensor against itself may be meant, such as an entropy; a ratio of
which one side has no gradient, as in the first step of an update.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.loss import names_of
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS317", "own-target", 30
SEVERITY: Final = "error"

HEADLINES = {
    "": "`{label}` compares a prediction with itself",
    "ratio": "the ratio of `{input}` to `{other}` is always 1",
}
WHYS = {
    "ratio": "Both sides have the same values and a gradient to the same parameters: their "
    "difference is 0, and so is its gradient. What the ratio weights trains nothing.",
    "": "Input and target are the same values, so the loss is 0 and so is every gradient. The "
    "targets of the batch never reach it.",
}
TITLES = {
    "meant": "compare with `{name}`",
    "target": "give the loss the targets of the batch",
    "old": "take the old values without their gradient",
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
    """
x, words, net = torch.randn(8, 3), torch.randint(0, 4, (8, 1)), nn.Linear(3, 4)
logp, old = (net(x).log_softmax(1).gather(1, words) for _ in range(2))
loss = -((logp - old).exp() * torch.randn(8, 1)).mean()
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
    """
x, words, net = torch.randn(8, 3), torch.randint(0, 4, (8, 1)), nn.Linear(3, 4)
logp = net(x).log_softmax(1).gather(1, words)
loss = -((logp - logp.detach()).exp() * torch.randn(8, 1)).mean()
""",
    """
x, words = torch.randn(8, 3), torch.randint(0, 4, (8, 1))
policy, reference = nn.Linear(3, 4), nn.Linear(3, 4)
reference.load_state_dict(policy.state_dict())
logp, ref = (each(x).log_softmax(1).gather(1, words) for each in (policy, reference))
kl = ((ref - logp).exp() - (ref - logp) - 1).mean()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTarget(Facts):
    """Both sides of a loss or a ratio are one tensor; `meant` are names of other targets."""

    found: str = ""
    meant: tuple[str, ...] = ()


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a loss whose two sides are one tensor."""
    known = observation.facts
    if not isinstance(known, OwnTarget):
        return None
    variant = known.found
    facts: dict[str, Any] = names_of(observation)
    blamed = ("other",) if variant else ("target",)
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The data beside the call that has the shape of the prediction; old values, detached."""
    if finding.variant == "ratio":
        return (Repair("old", edits=tuple(_detached(finding.observation.operand("other")))),)
    target = finding.observation.operand("target")
    passage = target.passage if target else None
    if passage is None or passage.span is None:
        return (Repair("target"),)
    known, file, span = finding.observation.facts, passage.place.file, passage.span
    assert isinstance(known, OwnTarget)
    found = (
        Repair("meant", {"name": each}, edits=(Edit(file, span, each),)) for each in known.meant
    )
    return tuple(found) or (Repair("target"),)


def _detached(given: Operand | None) -> Iterator[Edit]:
    passage = given.passage if given else None
    if passage is not None and passage.span is not None:
        yield Edit(passage.place.file, passage.span, f"{passage.text}.detach()")
