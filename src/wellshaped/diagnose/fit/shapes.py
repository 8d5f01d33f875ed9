"""What the rules of operations share: torch's arithmetic of shapes, and what a call was given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import prod
from typing import Any

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

Shape = tuple[int, ...]

_DIM_NAMES = ("dim", "axis", "dim0", "dim1", "start_dim", "end_dim", "source", "destination")
# Where an operation takes the numbers of axes, by place among its arguments behind the tensor.
_AXIS_PLACES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(
        ("size", "sum", "mean", "prod", "std", "var", "amax", "amin", "max", "min", "argmax",
         "argmin", "median", "logsumexp", "softmax", "log_softmax", "cumsum", "cumprod", "sort",
         "argsort", "squeeze", "unbind", "any", "all", "select", "narrow", "index_select",
         "gather", "unflatten", "glu", "normalize"),
        (0,),
    ),
    **dict.fromkeys(("topk", "kthvalue", "chunk", "split", "norm", "repeat_interleave"), (1,)),
    **dict.fromkeys(("transpose", "swapaxes", "swapdims", "flatten", "movedim"), (0, 1)),
}  # fmt: skip


def tensors(observation: Observation) -> tuple[Operand, ...]:
    """The operands whose shapes are known."""
    return tuple(each for each in observation.operands if each.fact)


def plain_arguments(observation: Observation) -> tuple[Any, ...]:
    """The arguments behind the tensor, whether it stands before the dot or comes first."""
    given = tuple(observation.options.get("args") or ())
    is_function = bool(observation.operands) and observation.operands[0].role != "input"
    return given[1:] if is_function else given


def sizes_given(observation: Observation) -> Shape | None:
    """The sizes of `view(2, 3)` or `view((2, 3))`; None where one of them is unknown."""
    given = plain_arguments(observation)
    if len(given) == 1 and isinstance(given[0], tuple):
        given = given[0]
    known = bool(given) and all(type(size) is int for size in given)
    return tuple(given) if known else None


def axes_named(observation: Observation) -> tuple[int, ...]:
    """The axes a call names, as they were written."""
    found: list[Any] = [
        observation.options[name] for name in _DIM_NAMES if name in observation.options
    ]
    given = plain_arguments(observation)
    places = _AXIS_PLACES.get(observation.callee, ())
    found += [given[place] for place in places if place < len(given)]
    if observation.callee in ("permute", "unpack"):
        found += _order(observation)
    flat = [axis for each in found for axis in (each if isinstance(each, tuple) else (each,))]
    return tuple(axis for axis in flat if type(axis) is int)


def _order(observation: Observation) -> list[Any]:
    if observation.callee == "unpack":
        return [observation.options["axes"] - 1]
    return list(plain_arguments(observation))


def rank_needed(axes: tuple[int, ...]) -> int:
    """The number of axes a tensor must have for these to exist."""
    return max((axis + 1 if axis >= 0 else -axis for axis in axes), default=0)


def broadcast_shape(*shapes: Shape) -> Shape | None:
    """The shape torch stretches these to; None when there is none."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    found = []
    for sizes in zip(*padded, strict=True):
        wide = {size for size in sizes if size != 1}
        if len(wide) > 1:
            return None
        found.append(wide.pop() if wide else 1)
    return tuple(found)


def conflicts(first: Shape, second: Shape) -> tuple[int, ...]:
    """The axes, counted in the longer shape, at which two shapes do not broadcast."""
    rank = max(len(first), len(second))
    pairs = zip(*((1,) * (rank - len(shape)) + shape for shape in (first, second)), strict=True)
    return tuple(axis for axis, (a, b) in enumerate(pairs) if a != b and 1 not in (a, b))


def placements(short: Shape, wide: Shape) -> Iterator[tuple[int, ...]]:
    """The ways to lay the axes of a short shape on equal axes of a wider one, in order."""
    for places in combinations(range(len(wide)), len(short)):
        if all(size in (1, wide[place]) for size, place in zip(short, places, strict=True)):
            yield places


def missing_axes(short: Shape, wide: Shape) -> tuple[tuple[int, ...], ...]:
    """The placements that give a short shape its missing axes; those that keep the batch first."""
    if not 0 < len(short) < len(wide) or set(short) == {1}:
        return ()
    found = tuple(reversed(list(placements(short, wide))))
    aligned = tuple(each for each in found if each[0] == 0)
    return aligned or found


def insertion(places: tuple[int, ...], rank: int) -> str:
    """What puts axes of size 1 into the gaps, as one would write it; torch adds those in front."""
    axes = range(places[0], rank)
    gaps = [axis - places[0] for axis in axes if axis not in places]
    if len(gaps) == 1:
        return f".unsqueeze({gaps[0]})"
    marks = [":" if axis in places else "None" for axis in axes][: gaps[-1] + 1] if gaps else []
    return f"[{', '.join(marks)}]" if marks else ""


def swaps(short: Shape, wide: Shape) -> list[tuple[int, int]]:
    """The pairs of axes of the first which, swapped, make two shapes meet."""
    found = []
    for a, b in combinations(range(len(short)), 2):
        order = list(short)
        order[a], order[b] = order[b], order[a]
        if short[a] != short[b] and broadcast_shape(tuple(order), wide) is not None:
            found.append((a, b))
    return found


def joined(shapes: list[Shape], axis: int) -> bool:
    """Whether tensors of these shapes can be put behind each other along an axis."""
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1 or not -max(ranks) <= axis < max(ranks):
        return False
    place = axis % max(ranks)
    return len({shape[:place] + shape[place + 1 :] for shape in shapes}) == 1


def without_common_ends(shape: Shape, sizes: Shape) -> tuple[Shape, Shape]:
    """What is left of both without the axes they have in common at either end."""
    while shape and sizes and shape[0] == sizes[0]:
        shape, sizes = shape[1:], sizes[1:]
    while shape and sizes and shape[-1] == sizes[-1]:
        shape, sizes = shape[:-1], sizes[:-1]
    return shape, sizes


def count_text(sizes: Shape) -> str:
    """A product spelled out: `8 x 6 = 48`; a single size as itself."""
    if len(sizes) == 1:
        return str(sizes[0])
    return f"{' x '.join(map(str, sizes))} = {prod(sizes)}" if sizes else "1"


def display_name(operand: Operand) -> str:
    """What the sentences call an operand, short enough to read."""
    return operand.text if len(operand.text) <= 32 else operand.role


def is_of_distribution(repair: Repair, observation: Observation) -> bool:
    """Whether it would give a distribution, which is no tensor, other axes."""
    asked = "distribution" in observation.options
    return asked and any(each.role == "input" for each in repair.changes)


def shown(operand: Operand) -> str:
    """A shape for a sentence."""
    return shape_text(operand.shape)
