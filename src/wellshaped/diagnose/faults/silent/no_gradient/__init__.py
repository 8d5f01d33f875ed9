"""Parameters of an optimizer get no gradient, because the graph is cut between them and the loss.

**What happens.** A part of the model keeps its random weights while the rest learns. The loss
falls, and stays higher than it ought to.

**Why.** `.detach()`, `.data`, `torch.tensor(x)` and a way through numpy or Python numbers give
values without their history: nothing before them gets a gradient, whatever follows.

    features = self.encoder(x).detach()      # the encoder never learns
    features = self.encoder(x)

**Repair.** Drop the cut, or compute with torch what was computed elsewhere. If the part is to
stay as it is, say so: `encoder.requires_grad_(False)`, or leave it out of the optimizer.

**How it is decided.** The run notes which parameters of each optimizer ever had a gradient.
From the losses before its steps it goes back to each operation that cuts the graph and has
parameters behind it that never had one. Values that left torch are followed by their number.

**Not a fault** is a cut where the parameters behind it get their gradient another way (the
generator of a GAN, a straight-through estimator, a critic), or are in no optimizer (target
networks, teachers), are frozen, or are changed by other means (moving averages). Parts that take
no part in the loss are not reported. A block under `no_grad` and operations without a
derivative are a note, as they are seldom written by mistake; they are an error where samples are
drawn from the part that never learns, as from a policy.
"""

from dataclasses import dataclass
from typing import Final

from wellshaped.diagnose.edits.graph_cuts import GraphCut, cut_facts, uncut, variant_of
from wellshaped.records.finding import Finding, Severity
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS306", "no-gradient", 30
SEVERITY: Final = "error"

_OFF = "{part} never learns: "
HEADLINES = {
    "detached": _OFF + "`{cut}` cuts it off from the loss",
    "rebuilt": _OFF + "`{cut}` makes a new tensor without its history",
    "left": _OFF + "its values leave the graph and come back as numbers",
    "sampled": _OFF + "between it and the loss stands a sample",
    "no_grad": _OFF + "it is computed where gradients are switched off",
    "values": _OFF + "`{cut}` has no derivative",
}
_SOME = "{starved} of the {total} parameters of the optimizer got no gradient in any step"
WHYS = {
    "detached": _SOME + ": what `{cut}` gives has no history.",
    "rebuilt": _SOME + ": what `{cut}` gives has no history.",
    "left": _SOME + ": `{cut}` gives plain numbers, and what is made of them has no history.",
    "sampled": _SOME + ": drawing has no derivative.",
    "no_grad": _SOME + ": what is computed under `{cut}` records none.",
    "values": _SOME + ": indices, comparisons and whole numbers have no derivative.",
}
PHRASES = {"module": "`{module}`", "part": "a part of the model"}
TITLES = {
    "drop": "keep the graph: drop the cut",
    "keep": "keep the tensors instead of their values",
    "torch": "compute with torch what is computed outside of it",
    "freeze": "if it is meant to stay as it is, leave it out of the optimizer",
}

FIRES = (
    """
x, y = torch.randn(8, 3), torch.randn(8, 1)
net = nn.ModuleDict({"encoder": nn.Linear(3, 4), "head": nn.Linear(4, 1)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
features = net["encoder"](x).detach()
F.mse_loss(net["head"](features), y).backward()
optimizer.step()
""",
    """
x, y = torch.randn(8, 3), torch.randn(8, 1)
encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
features = torch.from_numpy(encoder(x).detach().numpy() * 2)
F.mse_loss(head(features), y).backward()
optimizer.step()
""",
)
QUIET = (
    """
x, g, d = torch.randn(8, 3), nn.Linear(3, 3), nn.Linear(3, 1)
steps = torch.optim.SGD(g.parameters(), lr=0.1), torch.optim.SGD(d.parameters(), lr=0.1)
d(g(x).detach()).mean().backward()
steps[1].step()
(-d(g(x)).mean()).backward()
steps[0].step()
""",
    """
x, y = torch.randn(8, 3), torch.randn(8, 4)
student, teacher = nn.Linear(3, 4), nn.Linear(3, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
F.mse_loss(student(x), teacher(x).detach()).backward()
optimizer.step()
""",
    """
x, y = torch.randn(8, 3), torch.randn(8, 1)
encoder, head = nn.Linear(3, 4).requires_grad_(False), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
F.mse_loss(head(encoder(x).detach()), y).backward()
optimizer.step()
""",
    """
x, codes = torch.randn(8, 3), nn.Linear(3, 3)
optimizer = torch.optim.SGD(codes.parameters(), lr=0.1)
z = codes(x)
straight = z + (z.round() - z).detach()
straight.pow(2).mean().backward()
optimizer.step()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoGradient(GraphCut):
    """A cut that keeps a gradient from some parameters of an optimizer while others learn."""


def diagnose(observation: Observation) -> Finding | None:
    """Fires on parameters that a cut keeps from the loss while others learn."""
    known = observation.facts
    if not isinstance(known, NoGradient):
        return None
    variant, facts = variant_of(observation), cut_facts(observation)
    module = known.module
    facts["part"] = phrase("module", module=module) if module else phrase("part")
    meant = variant in ("sampled", "no_grad", "values") and not known.drawn_from
    severity: Severity = "note" if meant else SEVERITY
    back = observation.operand("back")
    origin = back.passage if back else None
    return Finding(CODE, NAME, severity, observation, variant, facts, ("cut",), origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Take the cut away; or say that the part is not to learn."""
    found = tuple(uncut(finding.observation))
    if found:
        return found
    return (Repair("torch" if finding.variant in ("left", "rebuilt") else "freeze"),)
