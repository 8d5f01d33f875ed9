"""Lets data loaders give batches of a chosen size, and the first and last of them only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils.data import DataLoader

_WORKERS_ONLY = ("prefetch_factor", "multiprocessing_context", "persistent_workers", "timeout")
_FIRST = 2


@dataclass
class Loaders:
    """What the data loaders of a run were asked for, and what they gave.

    `sizes` are the batch sizes the program asks for, `met` the numbers of rows of the batches
    it got, `current` that of the last one.
    """

    sizes: set[int] = field(default_factory=set)
    met: set[int] = field(default_factory=set)
    current: int | None = None
    _partial: list[bool] = field(default_factory=list)

    @property
    def whole_batches_only(self) -> bool:
        """Whether every loader drops its last batch where that is smaller than the others."""
        return bool(self._partial) and not any(self._partial)

    def ask(self, size: int, *, partial: bool) -> None:
        """Note that a loader is made for batches of a size, and whether a smaller one may come."""
        self.sizes.add(size)
        self._partial.append(partial)

    def give(self, batch: Any) -> Any:
        """Note a batch on its way to the program."""
        self.current = rows_of(batch)
        if self.current is not None:
            self.met.add(self.current)
        return batch


@contextmanager
def steered_loaders(
    batch: int | None, *, whole: bool, hurry: Callable[[], bool] = lambda: False
) -> Iterator[Loaders]:
    """Give every loader `batch` rows (None: its own), in-process.

    Unless `whole`, or as soon as there is a `hurry`, only the first batches and the last.
    """
    seen = Loaders()
    plain_init, plain_iter = DataLoader.__init__, DataLoader.__iter__

    def init(
        self: Any, dataset: Any, batch_size: int | None = 1, *args: Any, **kwargs: Any
    ) -> None:
        names = ("shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        rest = args[len(names) :]
        for name in _WORKERS_ONLY:
            given.pop(name, None)
        given["num_workers"] = 0
        own = given.get("batch_sampler") is None and batch_size is not None
        if own and batch_size is not None:
            seen.ask(batch_size, partial=not given.get("drop_last", False))
        size = batch if own and batch is not None else batch_size
        if rest:
            plain_init(self, dataset, batch_size, *args, **kwargs)
            return
        plain_init(self, dataset, size, **given)

    def iterate(self: Any) -> Iterator[Any]:
        found = plain_iter(self)
        size = self.batch_size if batch is None else None
        return map(seen.give, _shortened(found, size, hurry if whole else lambda: True))

    DataLoader.__init__ = init  # type: ignore[method-assign]
    DataLoader.__iter__ = iterate  # type: ignore[assignment, method-assign]
    try:
        yield seen
    finally:
        DataLoader.__init__ = plain_init  # type: ignore[method-assign]
        DataLoader.__iter__ = plain_iter  # type: ignore[method-assign]


def rows_of(batch: Any) -> int | None:
    """The number of rows of a batch: the first size of the first tensor in it."""
    if isinstance(batch, torch.Tensor):
        return batch.shape[0] if batch.dim() else None
    parts = batch.values() if isinstance(batch, Mapping) else batch
    if isinstance(parts, (list, tuple)) or isinstance(batch, Mapping):
        return next((rows for part in parts if (rows := rows_of(part)) is not None), None)
    return None


def _shortened(found: Any, size: int | None, hurry: Callable[[], bool]) -> Iterator[Any]:
    """The first batches, then the last one if it is smaller than `size` (None: not that one)."""
    for place, batch in enumerate(found, 1):
        yield batch
        if place >= _FIRST and hurry():
            break
    else:
        return
    rest = getattr(found, "_sampler_iter", None)
    fetcher = getattr(found, "_dataset_fetcher", None)
    if rest is None or fetcher is None or size is None:
        return
    last = None
    for last in rest:  # noqa: B007 - only the last one counts
        pass
    if isinstance(last, list) and 0 < len(last) < size:
        yield fetcher.fetch(last)
