"""How two shapes that are combined element by element miss each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile
from typing import Any

from wellshaped.diagnose.fit.layout_match import layout_difference
from wellshaped.diagnose.fit.shapes import conflicts, insertion, missing_axes, swaps
from wellshaped.records.observation import Operand, Origin

# Calls that leave every element in its place.
_ONE_BY_ONE = frozenset(
    "sqrt rsqrt square exp log log1p neg abs pow reciprocal sigmoid tanh clamp float double to "  # noqa: SIM905 - a table
    "detach clone contiguous".split()
)


def mismatch(short: Operand, wide: Operand) -> tuple[str, dict[str, Any]]:
    """What the difference looks like, and the sizes that meet; `short` has the lower rank."""
    unlike = conflicts(short.shape, wide.shape)
    axis, same_rank = unlike[-1], len(short.shape) == len(wide.shape)
    have, want = short.shape[axis - len(wide.shape)], wide.shape[axis]
    facts: dict[str, Any] = {"have": have, "want": want, "axis": axis}
    form, more = layout_difference(short, wide)
    if form:
        return form, facts | more
    if not same_rank:
        return ("missing" if missing_axes(short.shape, wide.shape) else "several"), facts
    if len(unlike) == 1 and _cut(short if have < want else wide):
        return "slice", facts
    if spread_last(short, wide):
        return "classes", facts
    if 1 in unlike and 0 not in unlike and _is_map(short) and _is_map(wide):
        return "skip", facts | {"have": short.shape[1], "want": wide.shape[1], "axis": 1}
    if len(unlike) == 1 and abs(have - want) == 1 and axis > 0:
        return "off_by_one", facts
    if swaps(short.shape, wide.shape):
        return "swapped", facts
    if len(unlike) > 1:
        return "several", facts
    return ("axis" if axis else "batch"), facts


def alignment_edits(
    variant: str, short: Operand, wide: Operand
) -> Iterator[tuple[str, dict[str, Any], Operand, str]]:
    """What would make them meet: the name of the repair, its facts, the operand, the call."""
    rank = len(wide.shape)
    if variant == "missing":
        for places in missing_axes(short.shape, wide.shape):
            axes = [str(axis) for axis in range(rank) if axis not in places]
            facts: dict[str, Any] = {"operand": short.text, "axes": ", ".join(axes)}
            yield "insert" if len(axes) == 1 else "inserts", facts, short, insertion(places, rank)
    if variant == "classes" and (last := spread_last(short, wide)):
        yield "classes", {"operand": last.text}, last, ".movedim(-1, 1)"
    if variant == "swapped":
        for one, other in ((short, wide), (wide, short)):
            for a, b in swaps(one.shape, other.shape):
                facts = {"operand": one.text, "a": a, "b": b}
                yield "swap", facts, one, f".transpose({a}, {b})"


def made_narrow(short: Operand) -> Origin | None:
    """The step that gave an operand its axes, behind what was computed of it one by one since."""
    origins = dropwhile(lambda each: each.operation in _ONE_BY_ONE, short.origins)
    nearest = next(origins, None)
    is_it = nearest is not None and nearest.passage.text != short.text
    return nearest if is_it and nearest is not None and nearest.operation == "index" else None


def spread_last(short: Operand, wide: Operand) -> Operand | None:
    """The one whose classes are its last axis, as of `one_hot`, and axis 1 of the other."""
    for one, other in ((short, wide), (wide, short)):
        moved = (one.shape[0], one.shape[-1], *one.shape[1:-1]) if len(one.shape) > 2 else ()
        if moved == other.shape and one.origin_by("one_hot"):
            return one
    return None


def _cut(operand: Operand) -> bool:
    nearest = operand.origins[:1]
    return bool(nearest) and nearest[0].operation == "index" and ":" in nearest[0].passage.text


def _is_map(operand: Operand) -> bool:
    """Whether it has channels: an image or signal that came out of a convolution."""
    return len(operand.shape) == 4 or any("Conv" in each.operation for each in operand.origins)
