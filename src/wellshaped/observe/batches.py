"""Batches of another size, made of the rows of a given one."""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wellshaped.contracts.call import BadCall


@dataclasses.dataclass(frozen=True, slots=True)
class Rows:
    """A batch, and how many rows it has; `samples` if it is a list with an entry for each."""

    batch: Any
    count: int
    samples: bool = False

    def of(self, count: int) -> Any:
        """The batch with its first `count` rows, repeated from the start where there are fewer."""
        if count == self.count:
            return self.batch
        if self.samples:
            return _picked(self.batch, _places(self.count, count))
        return _resized(self.batch, self.count, _places(self.count, count))

    def sizes(self) -> tuple[int, ...]:
        """Its own size, then 1 and the smallest two others that no other axis has."""
        taken = {size for each in self.arrays() for size in each.shape[1:]}
        free = (size for size in range(2, len(taken) + 4) if size not in taken)
        small = (1, next(free), next(free))
        return (self.count, *(size for size in small if size != self.count))

    def arrays(self) -> Iterator[Any]:
        """Its tensors, however deep they lie."""
        return _arrays(self.batch)


def find_rows(batch: Any) -> Rows:
    """Find the rows: along the first axis that its tensors share, or the entries of a list.

    A list of tuples, or of mappings with the same keys, is a list of samples; so is one of
    tensors that differ in their first axis alone.
    """
    if _is_samples(batch):
        return Rows(batch, len(batch), samples=True)
    leading = Counter(each.shape[0] for each in _arrays(batch) if each.shape)
    if not leading:
        raise BadCall("WS971", "the batch holds no tensor with an axis for its rows")
    size, times = leading.most_common(1)[0]
    if times == 1 and leading.total() > 1:
        shown = ", ".join(str(tuple(each.shape)) for each in _arrays(batch))
        raise BadCall("WS971", f"the tensors of the batch share no first axis: {shown}")
    if size == 0:
        raise BadCall("WS971", "the batch has no rows")
    return Rows(batch, size)


def _is_samples(batch: Any) -> bool:
    if type(batch) is not list or not batch:
        return False
    if all(isinstance(each, Mapping) for each in batch):
        return len({frozenset(each) for each in batch}) == 1
    if all(isinstance(each, tuple) for each in batch):
        return len({len(each) for each in batch}) == 1
    if not all(_is_array(each) and each.shape for each in batch):
        return False
    alike = {(each.dtype, tuple(each.shape[1:])) for each in batch}
    return len(alike) == 1 and len({each.shape[0] for each in batch}) > 1


def _is_array(value: Any) -> bool:
    """A tensor, or what numpy makes."""
    return isinstance(getattr(value, "shape", None), tuple) and hasattr(value, "__getitem__")


def _arrays(value: Any) -> Iterator[Any]:
    if _is_array(value):
        yield value
        return
    for part in _parts(value):
        yield from _arrays(part)


def _parts(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return [*value.values()]
    if isinstance(value, (list, tuple)):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    return ()


def _places(available: int, count: int) -> list[int]:
    return [place % available for place in range(count)]


def _resized(value: Any, count: int, places: list[int]) -> Any:
    if _is_array(value):
        has_rows = bool(value.shape) and value.shape[0] == count
        return _indexed(value, places) if has_rows else value
    if type(value) is list and len(value) == count and not _has_rows(value, count):
        return _picked(value, places)
    return _rebuilt(value, lambda part: _resized(part, count, places))


def _has_rows(value: Any, count: int) -> bool:
    return any(each.shape and each.shape[0] == count for each in _arrays(value))


def _picked(value: list[Any], places: list[int]) -> list[Any]:
    return [value[place] for place in places]


def _indexed(value: Any, places: list[int]) -> Any:
    """Rows of a tensor, as a leaf where it was one."""
    if not getattr(value, "requires_grad", False):
        return value[places]
    return value.detach()[places].requires_grad_()


def _rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """A container of the same type around its changed parts."""
    if isinstance(value, Mapping):
        made: Any = copy.copy(value)
        for key in value:
            made[key] = change(value[key])
        return made
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(change, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(change, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = copy.copy(value)
        for field in dataclasses.fields(value):
            object.__setattr__(made, field.name, change(getattr(value, field.name)))
        return made
    return value
