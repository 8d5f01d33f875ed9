"""An operation names an axis that the tensor does not have.

**What happens.** `x.sum(dim=2)`, `x[:, 0, 0]`, `x.permute(0, 2, 1)` or
`b, c, h, w = x.shape` is refused: `x` has fewer axes, or more, than the line expects.

**Why.** Axes count from 0: a tensor of rank 2 has axes 0 and 1, or -2 and -1. A line
written for a batch of rows also runs into this when it is given one row.

    scores = torch.randn(8, 5)
    scores.softmax(dim=2)             # axes 0 and 1
    scores.softmax(dim=-1)            # the last axis, whatever the rank

**Repair.** Name an axis that exists, or find the step where the axis was lost: the shape
under the operand tells how many there are.

**Not a fault** when the axis exists.
"""

from typing import Any, Final

from wellshaped.diagnose.fit.shapes import axes_named, display_name, rank_needed, sizes_given
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS112", "no-such-axis", 60
SEVERITY: Final = "error"

HEADLINES = {
    "axis": "`{label}` names axis {axis} of `{operand}`, whose rank is {rank}",
    "index": "an index for {needed} axes was used on `{operand}`, whose rank is {rank}",
    "permute": "`{label}` orders {needed} axes of `{operand}`, whose rank is {rank}",
    "unpack": "{needed} sizes were unpacked from the shape of `{operand}`, whose rank is {rank}",
    "scalar": "`{label}` needs an axis, and `{operand}` has none",
}
WHYS = {
    "axis": "`{operand}` is {shape}. Its axes run from 0 to {last}, or from -{rank} to -1.",
    "index": "Each part of an index takes one axis, from the left. `{operand}` is {shape} and has "
    "no axis left for part {rank_next}.",
    "permute": "`{operand}` is {shape}. `{label}` must name each of its axes once.",
    "unpack": "`{operand}` is {shape}: its shape holds {rank} sizes, one for each axis. The line "
    "is written for {needed}.",
    "scalar": "`{operand}` is (): one number, without axes. Rows can only be counted or walked "
    "through along an axis.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "x = torch.randn(4, 5)\nx.softmax(dim=2)",
    "x = torch.randn(4, 5)\nx[:, 0, 0]",
    "x = torch.randn(4, 5)\nx.permute(0, 2, 1)",
    "x = torch.randn(4, 5, 6)\nb, c, h, w = x.shape",
    "x = torch.randn(4, 5).mean()\nlen(x)",
)
QUIET = (
    "x = torch.randn(4, 5)\nx[7]",
    "x = torch.randn(4, 5)\nx[..., None, 0].view(3)",
)

_REDUCING = ("sum", "mean", "argmax", "argmin", "max", "min", "index", "select", "squeeze")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the axis, or the number of axes, does not exist in the tensor."""
    operand = next(iter(observation.operands), None)
    if operand is None or operand.fact is None:
        return None
    if observation.kind == "iteration":
        empty = next((each for each in observation.operands if each.fact and not each.shape), None)
        return _finding(observation, empty, "scalar", {}) if empty else None
    if observation.kind != "operation" or observation.callee in ("cat", "stack"):
        return None
    rank = operand.fact.rank
    if observation.callee == "index":
        needed = observation.options.get("axes", 0)
        return (
            _finding(observation, operand, "index", {"needed": needed}) if needed > rank else None
        )
    if observation.callee == "unpack":
        needed = observation.options["axes"]
        return (
            _finding(observation, operand, "unpack", {"needed": needed}) if needed != rank else None
        )
    if observation.callee == "permute":
        order = sizes_given(observation)
        if order is not None and len(order) != rank:
            return _finding(observation, operand, "permute", {"needed": len(order)})
    return _named(observation, operand)


def _named(observation: Observation, operand: Operand) -> Finding | None:
    rank = len(operand.shape)
    # torch lets reductions of a tensor without axes name axis 0; `size` does not.
    limit = rank if rank or observation.callee in ("size", "select") else 1
    wrong = [axis for axis in axes_named(observation) if rank_needed((axis,)) > limit]
    if not wrong or observation.callee == "unsqueeze":
        return None
    variant = "axis" if rank else "scalar"
    return _finding(observation, operand, variant, {"axis": wrong[0]})


def _finding(
    observation: Observation, operand: Operand, variant: str, facts: dict[str, Any]
) -> Finding:
    rank = len(operand.shape)
    birth = operand.origin_by(*_REDUCING)
    common: dict[str, Any] = {
        "label": observation.label,
        "operand": display_name(operand),
        "rank": rank,
    }
    common |= {"shape": shape_text(operand.shape), "last": rank - 1, "rank_next": rank + 1}
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant=variant,
        facts=common | facts,
        blamed=(operand.role,),
        origin=birth.passage if birth else None,
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """None: which axis was meant is not in the shapes."""
    return ()
