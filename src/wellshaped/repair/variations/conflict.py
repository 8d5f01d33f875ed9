"""Which sizes and dtypes do not fit at a call that failed, as far as its tensors show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from wellshaped.contracts import losses
from wellshaped.records.observation import Observation, Operand
from wellshaped.repair.variations.meetings import (
    SizeMismatch,
    SizeSpot,
    is_index,
    joined_along,
    of_call,
    of_equation,
    of_state,
    of_text,
    spots,
)

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
class Conflict:
    """Sizes that met and differ, and what else differs between the tensors of a call.

    `rows` are the pairs among them that stand in the first dimension, or in that of the samples;
    `deepest` is the largest number of dimensions that a tensor of the call has.
    """

    meetings: tuple[SizeMismatch, ...]
    rows: frozenset[tuple[int, int]]
    ranks: bool
    dtypes: bool
    deepest: int = 0

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
    known = of_call(observation)
    shapes = [
        each.shape
        for each in known
        if not is_index(observation, each) and (each.role, observation.kind) != ("weight", "loss")
    ]
    views, states = tuple(_of_view(observation)), tuple(of_state(observation))
    meetings = (*_of_options(observation), *views, *states, *_of_bounds(observation, known))
    if observation.callee == "einsum":
        meetings = (*meetings, *of_equation(observation))
    elif not meetings or observation.kind != "module":  # its options say what a layer takes
        meetings = (*meetings, *_of_operands(observation, known))
    shown = tuple(() if meetings else of_text(observation))
    meetings = (*meetings, *shown)
    rows = {(a[0], b[0]) for a, b in combinations(shapes, 2) if a and b and a[0] != b[0]}
    if any(is_index(observation, each) for each in known):
        rows = set()
    if states:
        rows = {(each.one.size, each.other.size) for each in states if each.other.dim == 1}
    rows |= {(each.one.size, each.other.size) for each in (*views, *shown)}
    ranks = {len(each) for each in shapes}
    return Conflict(
        tuple(dict.fromkeys(meetings)),
        frozenset(rows),
        len(ranks) > 1 and observation.callee != "einsum",
        _is_about_dtypes(observation, known),
        max(ranks, default=0),
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


def _is_about_dtypes(observation: Observation, known: list[Operand]) -> bool:
    """Whether dtypes differ where they must not; class numbers beside scores must be int64."""
    kinds = [
        each.fact.dtype
        for each in known
        if each.fact is not None and not is_index(observation, each)
    ]
    if observation.callee in losses(target="classes"):
        target = observation.operand("target")
        return target is not None and target.fact is not None and target.fact.dtype != "int64"
    indices = {each.fact.dtype for each in known if each.fact and is_index(observation, each)}
    if indices - {"int64", "int32"}:
        return True
    if observation.callee == "index":
        return bool({"bool", "int64"}.isdisjoint(kinds[1:]))
    return len(set(kinds)) > 1 or (observation.callee == "embedding" and "int64" not in kinds)


def _of_operands(observation: Observation, known: list[Operand]) -> Iterator[SizeMismatch]:
    """Sizes of one dimension that differ: a loss counts from the left, broadcasting from the end.

    A size of 1 is broadcast: it does not set another.
    """
    if any(is_index(observation, each) for each in known):
        return
    for one, other in combinations(known, 2):
        for a, b in _aligned(observation, one, other):
            if a.size != b.size and 1 not in (a.size, b.size):
                yield SizeMismatch(a, b)


def _aligned(
    observation: Observation, one: Operand, other: Operand
) -> list[tuple[SizeSpot, SizeSpot]]:
    first, second = spots(one), spots(other)
    if observation.callee in _PRODUCTS and first and len(second) > 1:
        return [(first[-1], second[-2])]
    if observation.kind == "loss" and other.role == "weight":
        scores = first if one.role == "input" and len(first) > 1 else []
        return list(zip(scores[1:2], second, strict=False))
    if observation.kind == "loss":
        if observation.callee in losses(target="classes") and len(first) == len(second) + 1:
            first = [first[0], *first[2:]]  # class numbers have no dimension of classes
        return list(zip(first, second, strict=False))
    if observation.callee == "index":  # a mask stands for the dimensions from the left
        return list(zip(first, second, strict=False))
    along = joined_along(observation, len(first))
    pairs = zip(first[::-1], second[::-1], strict=False)
    return [(a, b) for a, b in pairs if along is None or a.dim != along]


def _of_options(observation: Observation) -> Iterator[SizeMismatch]:
    inputs = [each for each in observation.operands if each.shape]
    for name, dimension in _TAKEN.items():
        wanted = observation.options.get(name)
        wanted = wanted[-1] if isinstance(wanted, tuple) and wanted else wanted
        if type(wanted) is not int or not inputs:
            continue
        here = spots(inputs[0])
        got = here[dimension] if -len(here) <= dimension < len(here) else here[-1]
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


def _of_bounds(observation: Observation, known: list[Operand]) -> Iterator[SizeMismatch]:
    """A class number that is out of range asks for as many classes as there are numbers."""
    for operand in known:
        if operand.bounds is None:
            continue
        needed = SizeSpot(operand.role, None, operand.bounds[1] + 1)
        counts = _counts(observation, known)
        yield from (SizeMismatch(count, needed) for count in counts if needed.size > count.size)


def _counts(observation: Observation, known: list[Operand]) -> list[SizeSpot]:
    """The sizes that say how large a number may be: of a table, of classes, of a dimension."""
    entries = observation.options.get("num_embeddings")
    if type(entries) is int:
        return [SizeSpot("num_embeddings", None, entries)]
    first = spots(known[0])
    if observation.kind == "loss":
        has_classes = observation.callee in losses(target="classes", pairs="positions")
        return first[1:2] if has_classes else []
    dim = observation.options.get("dim", observation.options.get("argument 0", 0))
    there = type(dim) is int and -len(first) <= dim < len(first)
    indexed = any(is_index(observation, each) for each in known)
    return [first[dim]] if there and indexed else []
