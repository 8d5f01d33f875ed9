"""A tensor was to be expanded, and an axis of it has neither size 1 nor the wanted size.

**What happens.** `x.expand(6, 12, 5)` for `x` of shape `(6, 5)` is refused.

**Why.** `expand` lays the axes of the tensor on the last sizes given, from the right, and
repeats axes of size 1 only. An axis that is to appear in the middle does not exist yet.

    style = torch.randn(6, 5)
    style.expand(6, 12, 5)                 # 6 is laid on 12
    style.unsqueeze(1).expand(6, 12, 5)    # (6, 1, 5) repeats its axis 1

**Repair.** Give the tensor an axis of size 1 where it is to be repeated, then expand.
For `repeat`, give one number for each axis.

**Not a fault** when every axis has size 1 or the wanted size, or the size is -1.
"""

from typing import Final

from wellshaped.diagnose.fit.shapes import Shape, display_name, insertion, missing_axes, sizes_given
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS221", "expand-size", 40
SEVERITY: Final = "error"

HEADLINES = {
    "size": "`{label}` cannot stretch an axis of `{operand}` from {have} to {want}",
    "fewer": "`{label}` got {given} sizes for the {rank} axes of `{operand}`",
}
WHYS = {
    "size": "`{label}` lays {shape} on the last sizes of {sizes}, and repeats axes of size 1 only. "
    "Axis {axis} has size {have} and falls on {want}.",
    "fewer": "`{label}` needs at least one size for each axis of the tensor. `{operand}` is "
    "{shape}.",
}
TITLES = {"insert": "give `{operand}` an axis of size 1 to repeat"}

FIRES = (
    "style = torch.randn(6, 5)\nstyle.expand(6, 12, 5)",
    "row, like = torch.randn(3), torch.randn(3, 4)\nrow.expand_as(like)",
    "x = torch.randn(2, 3, 4)\nx.repeat(2, 2)",
)
QUIET = (
    "style = torch.randn(6, 1, 5)\nstyle.expand(6, 12, 5).view(7)",
    "x = torch.randn(2, 3)\nx.repeat(2, 2).view(5)",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when an axis is neither 1, nor the size it falls on, or sizes are too few."""
    operand = next(iter(observation.operands), None)
    sizes = _sizes(observation)
    if operand is None or operand.fact is None or sizes is None:
        return None
    shape, bad = operand.shape, _unlike(operand.shape, sizes)
    facts: dict[str, object] = {"label": observation.label, "operand": display_name(operand)}
    facts |= {"shape": shape_text(shape), "sizes": shape_text(sizes), "rank": len(shape)}
    if len(sizes) < len(shape):
        variant, facts = "fewer", facts | {"given": len(sizes)}
    elif bad is not None and observation.callee not in ("repeat", "tile"):
        offset = len(sizes) - len(shape)
        variant = "size"
        facts |= {"axis": bad, "have": shape[bad], "want": sizes[bad + offset]}
    else:
        return None
    blamed = (operand.role,)
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed=blamed)


def _sizes(observation: Observation) -> Shape | None:
    if observation.callee in ("expand", "broadcast_to", "repeat"):
        return sizes_given(observation)
    if observation.callee == "expand_as" and len(observation.operands) == 2:
        return observation.operands[1].shape if observation.operands[1].fact else None
    return None


def _unlike(shape: Shape, sizes: Shape) -> int | None:
    """The axis, from the right, that has another size than it is to get."""
    pairs = zip(reversed(range(len(shape))), reversed(shape), reversed(sizes), strict=False)
    return next((axis for axis, have, want in pairs if want not in (-1, have) and have != 1), None)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The one axis of size 1 with which the sizes fit."""
    operand, sizes = finding.observation.operands[0], _sizes(finding.observation) or ()
    found = missing_axes(operand.shape, sizes)
    if finding.variant != "size" or len(found) != 1:
        return ()
    suffix = insertion(found[0], len(sizes))
    return (Repair("insert", changes=(Change(operand.role, suffix),)),)
