"""Which sizes and dtypes do not fit at a call that failed, as far as its tensors show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from wellshaped.contracts import losses
from wellshaped.records.observation import Observation, Operand

# Options of layers that say which size they take, and the dimension of the input that has it.
_TAKEN = {
    "in_features": -1,
    "in_channels": 1,
    "num_features": 1,
    "input_size": -1,
    "embed_dim": -1,
    "num_channels": 1,
    "normalized_shape": -1,
}
_PRODUCTS = frozenset(("matmul", "mm", "bmm", "mv", "addmm", "linear", "baddbmm"))
_VIEWS = frozenset(("view", "reshape", "unflatten"))


@dataclass(frozen=True, slots=True)
class SizeSpot:
    """A size at a call: that of a dimension of an operand, of an option, or one that is needed.

    `name` is the role of the operand or the name of the option; `dim` is None for an option, and
    for the number of classes that a class number asks for.
    """

    name: str
    dim: int | None
    size: int


@dataclass(frozen=True, slots=True)
class SizeMismatch:
    """Two sizes that met at a call and differ."""

    one: SizeSpot
    other: SizeSpot

    @property
    def sides(self) -> tuple[SizeSpot, SizeSpot]:
        """Both of them."""
        return self.one, self.other


@dataclass(frozen=True, slots=True)
class Conflict:
    """Sizes that met and differ, and what else differs between the tensors of a call.

    `rows` are the pairs among them that stand in the first dimension.
    """

    meetings: tuple[SizeMismatch, ...]
    rows: frozenset[tuple[int, int]]
    ranks: bool
    dtypes: bool

    @property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """The sizes that met and differ."""
        return frozenset((each.one.size, each.other.size) for each in self.meetings)

    def instead_of(self, size: int) -> list[int]:
        """The sizes that a size may have to be."""
        both = [(a, b) for a, b in self.pairs if a == size] + [
            (b, a) for a, b in self.pairs if b == size
        ]
        return sorted({other for _, other in both})


def conflict_of(observation: Observation) -> Conflict:
    """What does not fit at a call."""
    known = [each for each in observation.operands if each.fact is not None]
    shapes = [each.shape for each in known]
    views = tuple(_of_view(observation))
    meetings = (*_of_options(observation), *views, *_of_bounds(observation))
    if not meetings or observation.kind != "module":  # of a layer its options say what it takes
        meetings = (*meetings, *_of_operands(observation, known))
    rows = {(a[0], b[0]) for a, b in combinations(shapes, 2) if a and b and a[0] != b[0]}
    rows |= {(each.one.size, each.other.size) for each in views}
    return Conflict(
        tuple(dict.fromkeys(meetings)),
        frozenset(rows),
        len({len(each) for each in shapes}) > 1,
        _is_about_dtypes(observation),
    )


def sizes_at_call(observation: Observation) -> dict[tuple[str, int | None], int]:
    """Every size at a call by its name and dimension, so that two runs can be compared."""
    found: dict[tuple[str, int | None], int] = {}
    for operand in observation.operands:
        found |= {(operand.role, dim): size for dim, size in enumerate(operand.shape)}
        if operand.bounds is not None:
            found[operand.role, None] = operand.bounds[1] + 1
    for name, value in observation.options.items():
        if type(value) is int:
            found[name, None] = value
        elif isinstance(value, (tuple, list)):
            found |= {(name, at): each for at, each in enumerate(value) if type(each) is int}
    return found


def _is_about_dtypes(observation: Observation) -> bool:
    """Whether dtypes differ where they must not; class numbers beside scores must be int64."""
    kinds = [each.fact.dtype for each in observation.operands if each.fact is not None]
    if observation.callee in losses(target="classes"):
        target = observation.operand("target")
        return target is not None and target.fact is not None and target.fact.dtype != "int64"
    return len(set(kinds)) > 1 or (observation.callee == "embedding" and "int64" not in kinds)


def _of_operands(observation: Observation, known: list[Operand]) -> Iterator[SizeMismatch]:
    """Sizes of one dimension that differ: a loss counts from the left, broadcasting from the end.

    A size of 1 is broadcast: it does not set another.
    """
    for one, other in combinations(known, 2):
        for a, b in _aligned(observation, one, other):
            if a.size != b.size and 1 not in (a.size, b.size):
                yield SizeMismatch(a, b)


def _aligned(
    observation: Observation, one: Operand, other: Operand
) -> list[tuple[SizeSpot, SizeSpot]]:
    first, second = _spots(one), _spots(other)
    if observation.callee in _PRODUCTS and first and len(second) > 1:
        return [(first[-1], second[-2])]
    if observation.kind == "loss":
        if observation.callee in losses(target="classes") and len(first) == len(second) + 1:
            first = [first[0], *first[2:]]  # class numbers have no dimension of classes
        return list(zip(first, second, strict=False))
    return list(zip(first[::-1], second[::-1], strict=False))


def _spots(operand: Operand) -> list[SizeSpot]:
    return [SizeSpot(operand.role, dim, size) for dim, size in enumerate(operand.shape)]


def _of_options(observation: Observation) -> Iterator[SizeMismatch]:
    inputs = [each for each in observation.operands if each.shape]
    for name, dimension in _TAKEN.items():
        wanted = observation.options.get(name)
        wanted = wanted[-1] if isinstance(wanted, tuple) and wanted else wanted
        if type(wanted) is not int or not inputs:
            continue
        spots = _spots(inputs[0])
        got = spots[dimension] if -len(spots) <= dimension < len(spots) else spots[-1]
        if got.size != wanted:
            yield SizeMismatch(SizeSpot(name, None, wanted), got)


def _of_view(observation: Observation) -> Iterator[SizeMismatch]:
    """For each size of a view, the one that the number of elements asks for.

    Where one of them is -1, there are several that would do.
    """
    if observation.callee not in _VIEWS or not observation.operands:
        return
    total = prod(observation.operands[0].shape)
    name, sizes = _sizes(observation)
    wanted = [] if -1 in sizes else list(enumerate(sizes))
    for at, size in wanted:
        rest = prod(each for place, each in wanted if place != at)
        if rest and total % rest == 0 and total // rest != size:
            needed = SizeSpot(observation.operands[0].role, None, total // rest)
            yield SizeMismatch(SizeSpot(name, at, size), needed)


def _sizes(observation: Observation) -> tuple[str, list[int]]:
    for name, value in observation.options.items():
        if isinstance(value, (tuple, list)) and value and all(type(one) is int for one in value):
            return name, list(value)
    return "", []


def _of_bounds(observation: Observation) -> Iterator[SizeMismatch]:
    """A class number that is out of range asks for as many classes as there are numbers."""
    for operand in observation.operands:
        if operand.bounds is None:
            continue
        needed = SizeSpot(operand.role, None, operand.bounds[1] + 1)
        counts = [_spots(each)[1] for each in observation.operands if len(each.shape) > 1]
        known = observation.options.get("num_embeddings")
        counts += [SizeSpot("num_embeddings", None, known)] if type(known) is int else []
        yield from (SizeMismatch(count, needed) for count in counts if needed.size > count.size)
