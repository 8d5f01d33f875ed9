"""Runs a model twice and finds the first operation that two alike inputs leave unlike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from wellshaped.observe.trace.lineage import Lineage, name_of, user_frame
from wellshaped.observe.trace.nodes import tensors_in
from wellshaped.observe.trace.probe.same_row import Alike
from wellshaped.records.source import Passage

_MOST_VALUES = 20_000_000
RECURRENT = frozenset(("lstm", "gru", "rnn_tanh", "rnn_relu"))
ATTENTION = frozenset(("multi_head_attention_forward", "scaled_dot_product_attention"))
RESHAPES = frozenset(("view", "reshape"))
_PLACED = RECURRENT | ATTENTION | RESHAPES | {"softmax"}


class TooMuch(Exception):
    """A model makes more values than are worth keeping."""


@dataclass(frozen=True, slots=True)
class Made:
    """One result of one operation: `part` is its place among the results of the operation."""

    name: str
    part: int
    value: torch.Tensor
    parents: tuple[int, ...]
    given: tuple[int, ...]
    passage: Passage | None
    built: Passage | None


@dataclass(eq=False)
class Stream(TorchFunctionMode):
    """All results of one run in order."""

    trace: Lineage
    made: list[Made] = field(default_factory=list)
    codes: set[CodeType] = field(default_factory=set)
    _last: dict[int, int] = field(default_factory=dict)
    _values: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        taken = [*tensors_in(args), *tensors_in(options)]
        result = func(*args, **options)
        if isinstance(result, (torch.Tensor, tuple, list)):
            self._keep(name_of(func), taken, result)
        return result

    def _keep(self, name: str, taken: list[torch.Tensor], result: Any) -> None:
        self.codes.add(user_frame().f_code)
        parents = tuple(self._last[id(each)] for each in taken if id(each) in self._last)
        given = tuple(taken[0].shape) if taken else ()
        placed = name in _PLACED
        passage = self.trace.passage_here() if placed else None
        built = self.trace.built_here() if placed else None
        for part, each in enumerate(tensors_in(result)):
            self._values += each.numel()
            if self._values > _MOST_VALUES:
                raise TooMuch
            self._last[id(each)] = len(self.made)
            self.made.append(Made(name, part, each.clone(), parents, given, passage, built))

    def place_of(self, tensor: torch.Tensor) -> int | None:
        """Which of the results a tensor is."""
        return self._last.get(id(tensor))


def culprit(
    run: Callable[[Any], list[torch.Tensor]], trace: Lineage, before: Any, after: Any, alike: Alike
) -> tuple[Made, frozenset[CodeType]] | None:
    """The operation behind a result that differs, and the code that was passed on the way."""
    with Stream(trace) as one:
        first = run(before)
    with Stream(trace) as other:
        second = run(after)
    unlike = [
        place
        for a, b in zip(first, second, strict=True)
        if (place := one.place_of(a)) is not None and not alike(a, b)
    ]
    roots = sorted(set(_roots(one.made, other.made, alike, unlike)))
    return (one.made[roots[0]], frozenset(one.codes)) if roots else None


def _roots(one: list[Made], other: list[Made], alike: Alike, unlike: list[int]) -> Iterator[int]:
    """The results on the way that differ though all they were made from agree."""
    seen: dict[int, bool] = {}

    def differs(place: int) -> bool:
        if place not in seen:
            seen[place] = not alike(one[place].value, other[place].value)
        return seen[place]

    level, passed = unlike, set[int]()
    if len(one) != len(other) or any(a.name != b.name for a, b in zip(one, other, strict=True)):
        return  # the number of steps depends on the length: nothing can be compared
    while level:
        place = level.pop()
        if place in passed or not differs(place):
            continue
        passed.add(place)
        above = [each for each in one[place].parents if differs(each)]
        level += above
        if not above:
            yield place
