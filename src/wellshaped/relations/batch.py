"""The batch of a step: every tensor, array and list in sight that has an entry for each row.

It is changed in place, for the program holds it already: a tensor gets other data, and no two of
them share memory afterwards, so that a view is not changed twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

_DEEPEST = 4
_PLAIN = (int, float, str, bool, torch.Tensor)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A tensor, an array or a list of the batch, what it held at first, and where its rows are."""

    held: Any
    first: Any
    axis: int

    def put(self, value: Any) -> None:
        """Give it other content."""
        if isinstance(self.held, torch.Tensor):
            self.held.data = value
        else:
            self.held[:] = value


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class StepBatch:
    """The parts of a batch; `guessed` is whether nobody counted its rows."""

    rows: int
    parts: tuple[Part, ...]
    guessed: bool = False

    @property
    def tensors(self) -> list[Part]:
        """The parts that are tensors."""
        return [each for each in self.parts if isinstance(each.held, torch.Tensor)]

    def pick(self, places: Sequence[int]) -> None:
        """Put the rows of these places where rows were: as many as there are."""
        index = torch.tensor(places)
        for each in self.parts:
            if isinstance(each.held, torch.Tensor):
                each.put(each.first.index_select(each.axis, index))
            elif isinstance(each.held, list):
                each.put([each.first[place] for place in places])
            else:
                each.put(each.first[index.numpy()])


def batch_of(given: Any, around: Any, rows: int, axis: int = 0) -> StepBatch | None:
    """The batch that is given to the program, or to its model, with what else is in sight.

    What is given has its rows at `axis`, or where its size is that of the rows; what stands
    around it in the program has them in front.
    """
    found: dict[int, Part] = {}
    for value, asked in ((given, True), (around, False)):
        for each in _values(value):
            place = _rows_at(each, rows, axis if asked or axis else 0, anywhere=asked)
            if place is not None and id(each) not in found:
                found[id(each)] = Part(each, _copied(each), place)
    batch = StepBatch(rows, tuple(found.values()), guessed=around is not None)
    return batch if batch.tensors else None


def tensors_given(value: Any) -> list[torch.Tensor]:
    """The tensors of what is given, in order."""
    return [each for each in _values(value) if isinstance(each, torch.Tensor)]


def _rows_at(value: Any, rows: int, axis: int, *, anywhere: bool) -> int | None:
    if type(value) is list:
        return 0 if len(value) == rows and all(type(one) in _PLAIN for one in value) else None
    if isinstance(value, torch.Tensor) and (value.requires_grad or value.is_sparse):
        return None
    shape = tuple(value.shape)
    if len(shape) > axis and shape[axis] == rows:
        return axis
    if axis and shape[:1] == (rows,):
        return 0
    return shape.index(rows) if anywhere and not axis and rows in shape else None


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return list(value) if type(value) is list else value.copy()


def _values(value: Any, deep: int = 0) -> Iterator[Any]:
    if isinstance(value, torch.nn.Module) or deep > _DEEPEST:
        return
    if isinstance(value, torch.Tensor) or _is_array(value):
        yield value
        return
    if type(value) is list and value and all(type(each) in _PLAIN for each in value):
        yield value
    for part in _inside(value):
        yield from _values(part, deep + 1)


def _is_array(value: Any) -> bool:
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ == "ndarray" and value.flags.writeable


def _inside(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return [*value.values()]
    if isinstance(value, (list, tuple)):
        return value[:64]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, each.name, None) for each in dataclasses.fields(value)]
    return ()
