"""Lets data loaders give batches of a chosen size, and the first and last of them only."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import torch
from torch.utils.data import BatchSampler, DataLoader
from torch.utils.data._utils import worker

_PARAMETERS = (
    *("shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "pin_memory"),
    *("drop_last", "timeout", "worker_init_fn", "multiprocessing_context", "generator"),
)
_WORKERS_ONLY = ("prefetch_factor", "multiprocessing_context", "persistent_workers", "timeout")
_FIRST = 2


class BatchListener(Protocol):
    """Who wants to know of the batches that loaders give."""

    def fetch(self) -> None:
        """A batch is being made."""

    def give(self, batch: Any, size: int | None, rows: int | None) -> None:
        """A batch goes to the program: the size it asked for, and the rows of the whole set.

        None is given where there is no further batch.
        """


@dataclass
class Loaders:
    """What the data loaders of a run were asked for, and what they gave.

    `sizes` are the batch sizes the program asks for, `met` the numbers of rows of the batches
    it got, `current` that of the last one; `shortened` is whether batches were left out. Rows are
    counted where samples are collated: the first dimension of what comes out may be another one.
    `on_batch` is called with the number before the program gets a batch, `on_given` with both.
    """

    sizes: set[int] = field(default_factory=set)
    met: set[int] = field(default_factory=set)
    current: int | None = None
    listener: BatchListener | None = None
    shortened: bool = False
    on_batch: Callable[[int | None], None] = lambda _: None
    on_given: Callable[[Any, int | None], None] = lambda _, __: None
    _collated: int | None = None
    _partial: list[bool] = field(default_factory=list)

    @property
    def whole_batches_only(self) -> bool:
        """Whether every loader drops its last batch where that is smaller than the others."""
        return bool(self._partial) and not any(self._partial)

    def ask(self, size: int | None, *, partial: bool) -> None:
        """Note that a loader is made for batches of a size, and whether a smaller one may come."""
        if size is not None:
            self.sizes.add(size)
        self._partial.append(partial)

    def give(self, batch: Any) -> Any:
        """Note a batch on its way to the program."""
        counted, self._collated = self._collated, None
        self.current = batch_rows(batch) if counted is None else counted
        if self.current is not None:
            self.met.add(self.current)
        self.on_batch(self.current)
        self.on_given(batch, self.current)
        return batch

    def count(self, fetcher: Any) -> None:
        """Count the samples of each batch that a fetcher collates."""
        collate = getattr(fetcher, "collate_fn", None)
        if collate is None or not getattr(fetcher, "auto_collation", False):
            return

        def counting(samples: Any) -> Any:
            batch = collate(samples)
            self._collated = len(samples)
            return batch

        fetcher.collate_fn = counting

    def fetched(self, batches: Iterator[Any], loader: Any) -> Iterator[Any]:
        """The batches, one by one; the listener knows while one is being made."""
        size, dataset = loader.batch_size, loader.dataset
        rows = len(dataset) if hasattr(dataset, "__len__") else None
        while True:
            if self.listener is not None:
                self.listener.fetch()
            try:
                batch = next(batches)
            except StopIteration:
                if self.listener is not None:
                    self.listener.give(None, None, None)
                return
            if self.listener is not None:
                self.listener.give(batch, size, rows)
            yield self.give(batch)


@contextmanager
def steered_loaders(
    batch: int | None,
    *,
    whole: bool,
    hurry: Callable[[], bool] = lambda: False,
    on_batch: Callable[[int | None], None] = lambda _: None,
) -> Iterator[Loaders]:
    """Give every loader `batch` rows (None: its own), in-process.

    Unless `whole`, or as soon as there is a `hurry`, only the first batches and the last.
    """
    seen = Loaders(on_batch=on_batch)
    plain_init, plain_iter = DataLoader.__init__, DataLoader.__iter__
    had_workers: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()

    def init(
        self: Any, dataset: Any, batch_size: int | None = 1, *args: Any, **kwargs: Any
    ) -> None:
        given = {**dict(zip(_PARAMETERS, args, strict=False)), **kwargs}
        had_workers[self] = bool(given.get("num_workers"))
        for name in _WORKERS_ONLY:
            given.pop(name, None)
        given["num_workers"] = 0
        by = _grouped_by(given, batch_size)
        if by is not None:
            given[by] = _steered(given[by], batch, seen)
        elif batch_size is not None:
            seen.ask(batch_size, partial=not given.get("drop_last", False))
            batch_size = batch or batch_size
        plain_init(self, dataset, batch_size, **given)

    def iterate(self: Any) -> Iterator[Any]:
        found: Any = plain_iter(self)
        seen.count(getattr(found, "_dataset_fetcher", None))
        hurried = hurry if whole else lambda: True
        given: Iterator[Any] = _shortened(found, batch is None, hurried, seen)
        if had_workers.get(self):
            given = _as_in_worker(given, self.dataset)
        return seen.fetched(given, self)

    DataLoader.__init__ = init  # type: ignore[method-assign]
    DataLoader.__iter__ = iterate  # type: ignore[assignment, method-assign]
    try:
        yield seen
    finally:
        DataLoader.__init__ = plain_init  # type: ignore[method-assign]
        DataLoader.__iter__ = plain_iter  # type: ignore[method-assign]


def batch_rows(batch: Any) -> int | None:
    """The number of rows of a batch: the first size of the first tensor in it."""
    if isinstance(batch, torch.Tensor):
        return batch.shape[0] if batch.dim() else None
    parts = batch.values() if isinstance(batch, Mapping) else batch
    if isinstance(parts, (list, tuple)) or isinstance(batch, Mapping):
        return next((rows for part in parts if (rows := batch_rows(part)) is not None), None)
    return None


def _grouped_by(given: Mapping[str, Any], batch_size: int | None) -> str | None:
    """The argument that groups rows into batches, where it is not the batch size."""
    if given.get("batch_sampler") is not None:
        return "batch_sampler"
    if batch_size is None and isinstance(given.get("sampler"), (BatchSampler, Groups)):
        return "sampler"
    return None


def _steered(sampler: Any, batch: int | None, seen: Loaders) -> Any:
    if type(sampler) is BatchSampler:
        seen.ask(sampler.batch_size, partial=not sampler.drop_last)
        if batch is not None:
            sampler = copy.copy(sampler)
            sampler.batch_size = batch
        return sampler
    if isinstance(sampler, Groups):
        return sampler
    seen.ask(None, partial=not getattr(sampler, "drop_last", False))
    return Groups(sampler, batch, seen)


class Groups:
    """The batches of a sampler of the program's own, cut to `most` rows (None: as they are).

    Cut and not regrouped: rows that the program keeps apart must not meet.
    """

    def __init__(self, sampler: Any, most: int | None, seen: Loaders):
        self._sampler, self._most, self._seen = sampler, most, seen

    def __iter__(self) -> Iterator[Any]:
        for group in self._sampler:
            rows = list(group)
            self._seen.sizes.add(len(rows))
            yield rows[: self._most]

    def __len__(self) -> int:
        return len(self._sampler)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # a copy that has no sampler yet
        return getattr(self._sampler, name)


def _shortened(found: Any, last: bool, hurry: Callable[[], bool], seen: Loaders) -> Iterator[Any]:
    """The first batches, then the `last` one if it is smaller than they are."""
    size = 0
    for place, batch in enumerate(found, 1):
        size = max(size, batch_rows(batch) or 0)
        yield batch
        if place >= _FIRST and hurry():
            break
    else:
        return
    left, rows = _rest(found, to_the_end=last)
    is_partial = last and isinstance(rows, list) and 0 < len(rows) < size
    seen.shortened |= left > is_partial  # what was given was not all
    if is_partial:
        yield found._dataset_fetcher.fetch(rows)


def _rest(found: Any, *, to_the_end: bool) -> tuple[int, Any]:
    """How many batches were not given, as far as that is looked for, and the rows of the last."""
    rest = getattr(found, "_sampler_iter", None)
    if rest is None or not hasattr(found, "_dataset_fetcher"):
        return 2, None
    count, rows = 0, None
    for rows in rest:  # noqa: B007 - the last one is given back
        count += 1
        if not to_the_end or not _ends(found):
            return count, None
    return count, rows


def _ends(found: Any) -> bool:
    """Whether there is a last batch to look for: a stream may go on for ever."""
    try:
        return len(found._index_sampler) > 0
    except (AttributeError, TypeError, NotImplementedError):
        return False


def _as_in_worker(found: Any, dataset: Any) -> Iterator[Any]:
    """The batches, made where `get_worker_info()` tells of one worker: the program relies on it."""
    info: Any = worker.WorkerInfo(id=0, num_workers=1, seed=0, dataset=dataset)
    batches = iter(found)
    while True:
        worker._worker_info = info
        try:
            batch = next(batches)
        except StopIteration:
            return
        finally:
            worker._worker_info = None
        yield batch
