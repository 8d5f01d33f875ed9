"""Which sizes and dtypes do not fit at a call that failed, as far as its tensors show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from wellshaped.contracts import losses
from wellshaped.records.observation import Observation

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


@dataclass(frozen=True, slots=True)
class Conflict:
    """Pairs of sizes that met and differ, and what else differs between the tensors of a call.

    `rows` are the pairs among them that stand in the first dimension.
    """

    pairs: frozenset[tuple[int, int]]
    rows: frozenset[tuple[int, int]]
    ranks: bool
    dtypes: bool
    sizes: frozenset[int]

    def instead_of(self, size: int) -> list[int]:
        """The sizes that a size may have to be."""
        both = [(a, b) for a, b in self.pairs if a == size] + [
            (b, a) for a, b in self.pairs if b == size
        ]
        return sorted({other for _, other in both})


def conflict_of(observation: Observation) -> Conflict:
    """What does not fit at a call."""
    shapes = [each.shape for each in observation.operands if each.fact is not None]
    from_left = observation.kind == "loss"
    pairs = (
        set(_of_shapes(shapes, from_left))
        | set(_of_options(observation))
        | set(_of_view(observation))
    )
    pairs |= set(_of_bounds(observation))
    rows = {(a[0], b[0]) for a, b in combinations(shapes, 2) if a and b and a[0] != b[0]}
    rows |= set(_of_view(observation))
    return Conflict(
        frozenset(pairs),
        frozenset(rows),
        len({len(each) for each in shapes}) > 1,
        _is_about_dtypes(observation),
        frozenset(size for shape in shapes for size in shape),
    )


def _is_about_dtypes(observation: Observation) -> bool:
    """Whether dtypes differ where they must not; class numbers beside scores must be int64."""
    kinds = [each.fact.dtype for each in observation.operands if each.fact is not None]
    if observation.callee in losses(target="classes"):
        target = observation.operand("target")
        return target is not None and target.fact is not None and target.fact.dtype != "int64"
    return len(set(kinds)) > 1 or (observation.callee == "embedding" and "int64" not in kinds)


def _of_shapes(shapes: list[tuple[int, ...]], from_left: bool) -> Iterator[tuple[int, int]]:
    """Sizes of one dimension that differ: a loss counts from the left, broadcasting from the end.

    A size of 1 is broadcast: it does not set another.
    """
    for one, other in combinations(shapes, 2):
        aligned = (
            zip(one, other, strict=False)
            if from_left
            else zip(one[::-1], other[::-1], strict=False)
        )
        yield from ((a, b) for a, b in aligned if a != b and 1 not in (a, b))


def _of_options(observation: Observation) -> Iterator[tuple[int, int]]:
    shapes = [each.shape for each in observation.operands if each.shape]
    for name, dimension in _TAKEN.items():
        wanted = observation.options.get(name)
        wanted = wanted[-1] if isinstance(wanted, tuple) and wanted else wanted
        if not isinstance(wanted, int) or not shapes:
            continue
        shape = shapes[0]
        got = shape[dimension] if -len(shape) <= dimension < len(shape) else shape[-1]
        if got != wanted:
            yield wanted, got


def _of_view(observation: Observation) -> Iterator[tuple[int, int]]:
    """For each size of a view, the one that the number of elements asks for."""
    if observation.callee not in ("view", "reshape", "unflatten") or not observation.operands:
        return
    total = prod(observation.operands[0].shape)
    wanted = [each for each in _sizes(observation) if each > 0]
    for place, size in enumerate(wanted):
        rest = prod(wanted[:place] + wanted[place + 1 :])
        if rest and total % rest == 0 and total // rest != size:
            yield size, total // rest


def _sizes(observation: Observation) -> list[int]:
    for value in observation.options.values():
        if isinstance(value, (tuple, list)) and value and all(type(one) is int for one in value):
            return list(value)
    return []


def _of_bounds(observation: Observation) -> Iterator[tuple[int, int]]:
    """A class number that is out of range asks for as many classes as there are numbers."""
    for operand in observation.operands:
        if operand.bounds is None:
            continue
        needed = operand.bounds[1] + 1
        counts = [each.shape[1] for each in observation.operands if len(each.shape) > 1]
        known = observation.options.get("num_embeddings")
        counts += [known] if type(known) is int else []
        yield from ((count, needed) for count in counts if needed > count)
