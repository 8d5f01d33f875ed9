"""An index lies beyond the size of its axis, or a mask has another shape than its tensor.

**What happens.** `x[:, 7]` on an axis of size 5, or `x[mask]` with a mask of another shape; or
`x[rows, columns]` with two lists of different length.

**Why.** An axis of size 5 has places 0 to 4, or -5 to -1. A mask picks elements one by one,
so each of its axes must have the size of the axis it stands on, from the left.

    tokens, mask = torch.randn(4, 9, 16), torch.ones(4, 9, 1, dtype=torch.bool)
    tokens[mask]                  # axis 2: 1 against 16
    tokens[mask.squeeze(2)]       # (4, 9) picks rows of 16

**Repair.** For a mask, drop or cut the axis that does not fit. A number comes from the
program: check the size it was counted for.

**Not a fault** when the number lies within the axis; slices never go beyond it.
"""

from typing import Final

from wellshaped.diagnose.edits.row_count_edits import (
    Recount,
    counted_finding,
    counted_repairs,
    recounted,
)
from wellshaped.diagnose.fit.shapes import broadcast_shape, display_name
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Edit, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS218", "index-out-of-range", 50
SEVERITY: Final = "error"

HEADLINES = {
    "counted": "`{made}` is made for {count} rows, and `{beside}` has {rows}",
    "uneven": "an index of shape {index_shape} was used beside one of shape {other_shape}",
    "number": "index {index} lies beyond axis {axis} of `{operand}`, which has size {size}",
    "places": "index {index} lies beyond axis {axis} of `{operand}`, which has size {size}",
    "mask": "a mask of shape {mask_shape} was used on `{operand}` of shape {shape}",
}
WHYS = {
    "counted": "Several lists of numbers pick one entry for each of their places, so they must be "
    "equally long. The number of rows is fixed where this one is made, and the batch at hand has "
    "another.",
    "uneven": "Several lists of numbers pick one entry for each of their places, so they must be "
    "equally long. `{index}` is {index_shape}, `{other}` is {other_shape}.",
    "number": "`{operand}` is {shape}. Axis {axis} has places 0 to {last}, or -{size} to -1.",
    "places": "`{places}` has one number for each row of `{operand}`, {shape}, and they fit axis "
    "1. Alone in an index they pick whole rows, along axis 0.",
    "mask": "A mask picks elements place by place, so each of its axes needs the size of the axis "
    "it stands on. Axis {where} of `{mask}` has size {have} and stands on {want}.",
}
TITLES = {
    "counted": "make as many rows as `{beside}` has",
    "ahead": "use as many of its rows as `{beside}` has",
    "drop": "drop axis {axis} of the mask",
    "each": "pick one place from each row",
}

FIRES = (
    "x, last = torch.randn(4, 9), torch.tensor([8, 3, 5, 2])\nx[last]",
    "x = torch.randn(4, 5)\nx[:, 7]",
    "x, y = torch.randn(4, 5), torch.tensor([1, 2, 3])\nx[torch.arange(4), y]",
    """
batch_size = 4
for x in (torch.randn(4, 5), torch.randn(3, 5)):
    classes = x.argmax(1)
    x[torch.arange(batch_size), classes]
""",
    "x, mask = torch.randn(4, 9, 16), torch.ones(4, 9, 1, dtype=torch.bool)\nx[mask]",
)
QUIET = (
    "x = torch.randn(4, 5)\nx[:, 4, 1]",
    "x, mask = torch.randn(4, 9), torch.ones(4, 9, dtype=torch.bool)\nx[mask].view(7, 7)",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a number beyond its axis, and on a mask that does not cover its axes."""
    operand = observation.operand("input")
    if observation.callee != "index" or operand is None or operand.fact is None:
        return None
    if (uneven := _uneven(observation)) is not None:
        return uneven
    shape, options = operand.shape, observation.options
    facts: dict[str, object] = {"operand": display_name(operand), "shape": shape_text(shape)}
    for name, value in options.items():
        axis = options.get(name.replace("index", "axis"))
        if not name.startswith("index ") or axis is None or axis >= len(shape):
            continue
        size = shape[axis]
        if not -size <= value < size:
            found = {"index": value, "axis": axis, "size": size, "last": size - 1}
            return _finding(observation, "number", facts | found, "input")
    for mask in observation.operands[1:]:
        where = _uncovered(mask, shape, options.get(mask.role.replace("index", "axis")))
        if where is not None:
            place, have, want = where
            found = {"mask": display_name(mask), "mask_shape": shape_text(mask.shape)}
            found |= {"where": place, "have": have, "want": want}
            return _finding(observation, "mask", facts | found, mask.role)
    return _of_places(observation, operand, facts)


def _lists(observation: Observation) -> tuple[Operand, ...]:
    """The lists of numbers of an index; masks are another thing."""
    found = (each for each in observation.operands if each.role.startswith("index "))
    return tuple(each for each in found if each.fact and each.fact.dtype in ("int64", "int32"))


def _recounted(observation: Observation) -> tuple[Recount, ...]:
    """The fixed numbers of rows without which the lists would be equally long."""
    roles = [each.role for each in _lists(observation)]
    return recounted(
        observation, lambda found: broadcast_shape(*(found[role] for role in roles)) is not None
    )


def _uneven(observation: Observation) -> Finding | None:
    """Lists of numbers of different length, each of which is to pick one entry at a time."""
    lists = _lists(observation)
    if broadcast_shape(*(each.shape for each in lists)) is not None:
        return None
    if found := _recounted(observation):
        return counted_finding(CODE, NAME, observation, found[0])
    first = lists[0]
    other = next(each for each in lists if broadcast_shape(first.shape, each.shape) is None)
    facts: dict[str, object] = {
        "index": display_name(first),
        "index_shape": shape_text(first.shape),
    }
    facts |= {"other": display_name(other), "other_shape": shape_text(other.shape)}
    return _finding(observation, "uneven", facts, first.role)


def _of_places(
    observation: Observation, operand: Operand, facts: dict[str, object]
) -> Finding | None:
    """Numbers beyond the rows, where each row has one of them and they fit the next axis."""
    shape, numbers = operand.shape, observation.operand("index 0")
    if numbers is None or numbers.bounds is None or observation.options.get("axes") != 1:
        return None
    largest = numbers.bounds[1]
    if numbers.shape != shape[:1] or len(shape) < 2 or not shape[0] <= largest < shape[1]:
        return None
    facts = {
        **facts,
        "index": largest,
        "axis": 0,
        "size": shape[0],
        "places": display_name(numbers),
    }
    return _finding(observation, "places", facts, numbers.role)


def _uncovered(
    mask: Operand, shape: tuple[int, ...], axis: int | None
) -> tuple[int, int, int] | None:
    """The first axis of a mask that has another size than the axis below it."""
    if mask.fact is None or mask.fact.dtype not in ("bool", "uint8") or axis is None:
        return None
    pairs = zip(mask.shape, shape[axis:], strict=False)
    return next(((place, a, b) for place, (a, b) in enumerate(pairs) if a != b), None)


def _finding(
    observation: Observation, variant: str, facts: dict[str, object], role: str
) -> Finding:
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed=(role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """A mask with one axis of size 1 too many loses it; rows are counted by the batch."""
    if finding.variant == "counted":
        return counted_repairs(_recounted(finding.observation))
    if finding.variant == "uneven":
        return ()
    mask = finding.observation.operand(finding.blamed[0])
    operand = finding.observation.operand("input")
    if finding.variant == "places" and mask is not None and mask.passage and operand is not None:
        rows = f"torch.arange({operand.text}.size(0)), {mask.text}"
        span = mask.passage.span
        edits = (Edit(mask.passage.place.file, span, rows),) if span else ()
        return (Repair("each", edits=edits),)
    if finding.variant != "mask" or mask is None or operand is None:
        return ()
    place = finding.facts["where"]
    left = mask.shape[:place] + mask.shape[place + 1 :]
    if mask.shape[place] != 1 or operand.shape[: len(left)] != left:
        return ()
    return (Repair("drop", {"axis": place}, (Change(mask.role, f".squeeze({place})"),)),)
