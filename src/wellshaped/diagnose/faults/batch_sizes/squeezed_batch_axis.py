"""A squeeze took the batch axis away, because the batch had one row.

**What happens.** The program runs for many batches and stops at one that holds a single
row: at `size(0)`, `len()`, a loop, an index, `cat`, a reduction over `dim=1`, or the loss.
A tensor has one axis fewer there than everywhere else.

**Why.** `squeeze()` without an axis drops every axis of size 1. With B > 1 that is the
column or the pooled map it was written for; with B = 1 the batch axis has size 1 as well.
`squeeze(0)` does nothing until then, and drops the batch axis alone.

    scores = model(rows).squeeze()    # (8, 1) -> (8,), but (1, 1) -> ()
    for score in scores: ...          # a tensor without axes has no rows

**Repair.** Name the axis that is to go: `.squeeze(-1)` for a column, `.flatten(1)` for a
pooled map. Dropping the last small batch hides the fault; evaluation of one row keeps it.

**Not a fault** when the tensor never had a batch axis, or a later step gives it one.
"""

from typing import Final

from wellshaped.diagnose.edits.call_edits import unsqueezed
from wellshaped.diagnose.fit.loss import needs_of
from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.diagnose.fit.squeezed_batch import axes_needed, lacks_batch, squeeze_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS401", "squeezed-batch-axis", 5
SEVERITY: Final = "error"

HEADLINES = {
    "bare": "`squeeze()` took the batch axis of `{operand}` away at B = 1",
    "named": "`squeeze({axis})` took the batch axis of `{operand}` away at B = 1",
}
HEADLINES |= {f"{name}_unseen": text for name, text in HEADLINES.items()}
WHYS = {
    "bare": "A bare `squeeze()` drops every axis of size 1. In a batch of one row the batch axis "
    "is one of them, so `{operand}` is {shape} here and has one axis more at any other "
    "batch size.",
    "named": "`squeeze({axis})` drops that axis if its size is 1, and does nothing otherwise. It "
    "is the batch axis, so `{operand}` is {shape} in a batch of one row and has one "
    "axis more at any other batch size.",
    "bare_unseen": "A bare `squeeze()` drops every axis of size 1. In a batch of one row the "
    "batch axis is one of them, so the axis that `{label}` needs is not there.",
    "named_unseen": "`squeeze({axis})` drops that axis if its size is 1, and does nothing "
    "otherwise. It is the batch axis, so in a batch of one row the axis that `{label}` needs "
    "is not there.",
}
TITLES = {
    "axis": "name the axis that is to go",
    "flatten": "keep axis 0, and flatten only what follows it",
    "remove": "take the squeeze out: at other batch sizes it does nothing",
}

FIRES = (
    """
scores = nn.Linear(3, 1)(torch.randn(1, 3)).squeeze()
len(scores)
""",
    """
net, x, y = nn.Linear(3, 1), torch.randn(1, 3), torch.ones(1)
out = net(x).squeeze()
F.binary_cross_entropy_with_logits(out, y)
""",
    """
pooled = nn.AdaptiveAvgPool2d(1)(torch.randn(1, 8, 5, 5)).squeeze()
pooled.topk(3, dim=1)
""",
    """
class Net(nn.Module):
    def forward(self, x):
        return torch.nn.functional.relu(x).squeeze(0)
net = Net()
net(torch.randn(1, 5)).argmax(dim=1)
""",
)
QUIET = (
    """
scores = torch.tensor(1.0)
len(scores)
""",
    """
scores = torch.randn(4, 1).squeeze()
scores.sum(dim=3)
""",
)

_REDUCING = ("sum", "mean", "argmax", "argmin", "amax", "amin", "max", "min", "prod", "norm")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the call would fit with the batch axis that a squeeze can only have taken."""
    for operand in observation.operands:
        found = squeeze_of(operand)
        if found is None or not lacks_batch(observation, operand):
            continue
        birth, axis = found
        variant = "bare" if axis is None else "named"
        return Finding(
            CODE,
            NAME,
            "error" if observation.raised else "warning",
            observation,
            variant=variant if operand.fact else f"{variant}_unseen",
            facts={"operand": display_name(operand), "axis": axis, "label": observation.label}
            | {"shape": shape_text(operand.shape)},
            blamed=(operand.role,),
            needs=_needs(observation, operand),
            origin=birth.passage,
        )
    return None


def _needs(observation: Observation, operand: Operand) -> tuple[tuple[str, str], ...]:
    if observation.kind in ("loss", "backward"):
        return needs_of(observation)
    if operand.fact is None:
        return ()
    return ((operand.role, shape_text(("B", *operand.shape))),)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """At the squeeze: name its axis, flatten the rest, or take it out."""
    operand = finding.observation.operand(finding.blamed[0])
    found = squeeze_of(operand) if operand else None
    if operand is None or found is None:
        return ()
    birth, axis = found
    if axis is not None:
        return (Repair("remove", edits=unsqueezed(birth.passage, "", "")),)
    later = operand.origins[: operand.origins.index(birth)]
    reduced = sum(each.operation in _REDUCING for each in later)
    rank = operand.fact.rank if operand.fact else max(0, axes_needed(finding.observation) - 1)
    if rank + reduced == 1:
        return (Repair("flatten", edits=unsqueezed(birth.passage, "flatten", "1")),)
    if rank + reduced:
        places = ("1", "-1")
        named = (unsqueezed(birth.passage, "squeeze", each) for each in places)
        return tuple(Repair("axis", edits=each) for each in named)
    if _is_map(operand.origins[operand.origins.index(birth) + 1 :]):
        column = unsqueezed(birth.passage, "flatten", "1", behind=".squeeze(1)")
        return (Repair("flatten", edits=column),)
    return (Repair("axis", edits=unsqueezed(birth.passage, "squeeze", "-1")),)


def _is_map(before: tuple[Origin, ...]) -> bool:
    """Whether the nearest layer was a convolution: its scores are maps of one place."""
    sized = (each.options for each in before if each.settings or each.options)
    layer = next((each for each in sized if {"out_channels", "out_features"} & set(each)), {})
    return "out_channels" in layer
