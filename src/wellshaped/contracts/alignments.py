"""The alignments of tensors that meet a contract and keep every row with its own target.

The size of the batch axis is replaced by a stand-in that equals no other size before
anything is compared, so that an alignment found at one batch size is the alignment at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wellshaped.contracts.axes import Label, Traced, after_step, labelled
from wellshaped.contracts.contract import Contract
from wellshaped.contracts.judge import judge_bound
from wellshaped.contracts.match import first_conflict
from wellshaped.contracts.notation import parse_arrangement
from wellshaped.contracts.promotion import FLOATS
from wellshaped.contracts.questions import WITHOUT_ROWS, losses
from wellshaped.contracts.registry import ROWS
from wellshaped.records.shape import TensorFact
from wellshaped.records.verdict import AlignmentStep

_STAND_IN = 1009  # a prime no real axis of a small model has; see `_stand_ins`
_MOST_STEPS = 3
_VALUES = ("cast", "index")  # steps that change values, not places
_CLASS_LOSSES = losses(target="classes")

Meaning = frozenset[frozenset[Label]]
State = tuple[tuple[str, Traced], ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Steps after which the call meets its contract, and which axes they pair."""

    steps: tuple[AlignmentStep, ...]
    meaning: Meaning
    values: tuple[str, ...]

    @property
    def reads_one_hot(self) -> bool:
        """Whether a target is turned from one-hot into class numbers."""
        return "index" in self.values


def alignments(row: Contract, bound: Mapping[str, Any], *, one_hot: bool) -> tuple[Alignment, ...]:
    """Every distinct alignment of these arguments, each by its shortest way."""
    key = (row.name, tuple((name, value.__class__, value) for name, value in bound.items()))
    return _found(key, one_hot)


@lru_cache(maxsize=512)
def _found(key: tuple[Any, ...], one_hot: bool) -> tuple[Alignment, ...]:
    row = ROWS[key[0]]
    bound = {name: value for name, _, value in key[1]}
    start = _start(row, bound)
    if start is None:
        return ()
    seen: set[State] = {start}
    frontier: list[tuple[State, tuple[AlignmentStep, ...]]] = [(start, ())]
    for _ in range(_MOST_STEPS + 1):
        ways = [_alignment(row, bound, state, steps) for state, steps in frontier]
        found = [way for way in ways if way is not None]
        if one_hot:
            found = [way for way in found if way.reads_one_hot]
        if found:
            return _distinct(row, found)
        frontier = list(_next(row, frontier, seen, one_hot))
    return ()


def _distinct(row: Contract, ways: list[Alignment]) -> tuple[Alignment, ...]:
    """One way for each meaning: the fewest arguments touched, predictions left alone."""

    def effort(way: Alignment) -> tuple[int, int, int]:
        touched = {step.argument for step in way.steps}
        predicted = [step for step in way.steps if step.argument in row.predicts]
        added = sum(step.kind == "add" for step in predicted)
        return added, len(touched), len(predicted)

    best: dict[Any, Alignment] = {}
    for way in sorted(ways, key=effort):
        best.setdefault((way.meaning, way.values), way)
    return tuple(best.values())


def _start(row: Contract, bound: Mapping[str, Any]) -> State | None:
    facts = {name: bound[name] for name in row.tensors if isinstance(bound[name], TensorFact)}
    batched = [name for name in _row_arguments(row) if name in facts]
    leading = {facts[name].shape[0] if facts[name].shape else None for name in batched}
    if None in leading and len(leading) > 1:
        return None  # a 0-d tensor beside a batch: its axis was lost before it came here
    stand_ins = _stand_ins(leading)
    if stand_ins is None:
        return None
    state = []
    for name, fact in facts.items():
        shape = fact.shape
        if name in batched and shape:
            shape = (stand_ins[shape[0]], *shape[1:])
        state.append((name, labelled(name, TensorFact(shape, fact.dtype))))
    return tuple(state)


def _row_arguments(row: Contract) -> tuple[str, ...]:
    """The arguments whose first axis is the batch."""
    if row.name == "ctc_loss":
        return ()
    return tuple(name for name in row.tensors if name not in WITHOUT_ROWS)


def _stand_ins(leading: set[Any]) -> dict[int, int] | None:
    """A stand-in for each leading size; a multiple stays the same multiple."""
    sizes = sorted(size for size in leading if size is not None)
    if len(sizes) <= 1:
        return dict.fromkeys(sizes, _STAND_IN)
    low, *rest = sizes
    if len(rest) > 1 or low == 0 or rest[0] % low:
        return None
    return {low: _STAND_IN, rest[0]: _STAND_IN * (rest[0] // low)}


def _next(
    row: Contract,
    frontier: list[tuple[State, tuple[AlignmentStep, ...]]],
    seen: set[State],
    one_hot: bool,
) -> Iterator[tuple[State, tuple[AlignmentStep, ...]]]:
    for state, steps in frontier:
        for step in _steps(row, state, one_hot):
            after = tuple(
                (name, after_step(tensor, step) if name == step.argument else tensor)
                for name, tensor in state
            )
            if after not in seen:
                seen.add(after)
                yield after, (*steps, step)


def _steps(row: Contract, state: State, one_hot: bool) -> Iterator[AlignmentStep]:
    rows = _row_arguments(row)
    for name, tensor in state:
        if name not in rows:
            continue
        yield from _singletons(name, tensor)
        keeps_classes = row.name in _CLASS_LOSSES and name in row.predicts
        if len(tensor.axes) >= 2 + keeps_classes:
            yield AlignmentStep(name, "flatten", 0, 1)
        if row.name in _CLASS_LOSSES:
            yield from _class_steps(row, name, tensor, one_hot)
        elif name not in row.predicts and tensor.dtype not in FLOATS:
            yield AlignmentStep(name, "cast", dtype=_prediction_dtype(row, state))


def _singletons(name: str, tensor: Traced) -> Iterator[AlignmentStep]:
    rank = len(tensor.axes)
    for place in range(rank - 1, 0, -1):
        if tensor.axes[place].size == 1:
            yield AlignmentStep(name, "drop", place)
    if rank < 6:
        for place in range(rank, 0, -1):
            yield AlignmentStep(name, "add", place)


def _class_steps(
    row: Contract, name: str, tensor: Traced, one_hot: bool
) -> Iterator[AlignmentStep]:
    rank = len(tensor.axes)
    if name in row.predicts and rank >= 3:
        yield AlignmentStep(name, "move", rank - 1, 1)
    if name == "target":
        if tensor.dtype != "int64":
            yield AlignmentStep(name, "cast", dtype="int64")
        if rank >= 2 and (one_hot or tensor.dtype not in FLOATS):
            yield AlignmentStep(name, "index", 1)
            if rank > 2:
                yield AlignmentStep(name, "index", rank - 1)
        if row.name == "cross_entropy" and tensor.dtype not in FLOATS:
            yield AlignmentStep(name, "cast", dtype="float32")


def _prediction_dtype(row: Contract, state: State) -> str:
    return next(tensor.dtype for name, tensor in state if name in row.predicts)


def _alignment(
    row: Contract, bound: Mapping[str, Any], state: State, steps: tuple[AlignmentStep, ...]
) -> Alignment | None:
    facts = {name: tensor.fact for name, tensor in state}
    if judge_bound(row, {**bound, **facts}).outcome != "accept":
        return None
    meaning = _meaning(row, dict(state))
    if meaning is None:
        return None
    kinds = tuple(sorted({step.kind + step.dtype for step in steps if step.kind in _VALUES}))
    return Alignment(steps, meaning, kinds)


def _meaning(row: Contract, tensors: Mapping[str, Traced]) -> Meaning | None:
    """Which original axes the arrangement pairs; None where it pairs what it must not."""
    shapes = {name: tensor.fact.shape for name, tensor in tensors.items()}
    line = next(line for line in row.needs if first_conflict(line, shapes) is None)
    paired: dict[str, set[Label]] = {}
    for term in parse_arrangement(line):
        if term.argument in tensors:
            _pair(term.axes, tensors[term.argument], paired)
    # An axis that was added and stands alone would be a class axis made of nothing.
    if not all(paired.values()) or not all(_rows_stay(group) for group in paired.values()):
        return None
    telling = (frozenset(label for label in group if label[2]) for group in paired.values())
    return frozenset(group for group in telling if len(group) > 1)


def _pair(names: tuple[str, ...], tensor: Traced, paired: dict[str, set[Label]]) -> None:
    """File each original axis under the letter, and the place within it, that it fills."""
    star = next((i for i, name in enumerate(names) if name.startswith("*")), None)
    run = len(tensor.axes) - len(names) + 1
    spread: list[str] = []
    for place, name in enumerate(names):
        spread += [f"{name}{i}" for i in range(run)] if place == star else [name]
    for letter, axis in zip(spread, tensor.axes, strict=True):
        paired.setdefault(f"{letter}/0", set())
        telling = [label for label in axis.labels if label[2]] or axis.labels[:1]
        for depth, label in enumerate(telling):
            paired.setdefault(f"{letter}/{depth}", set()).add(label)


def _rows_stay(group: set[Label]) -> bool:
    """Batch axes meet batch axes only."""
    leading = {place == 0 for name, place, _ in group if name not in ("weight", "linear_weight")}
    return len(leading) <= 1
