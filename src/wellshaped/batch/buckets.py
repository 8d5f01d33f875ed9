"""Batches of sequences of similar length: less padding, every sample once, ranks in step."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, distributed
from torch.utils.data import Sampler

from wellshaped.batch.ragged import Padding
from wellshaped.batch.settings import check_count
from wellshaped.records.phrase import UserError

# Shuffled samples are sorted by length in windows of this many batches.
_WINDOW = 50
Batches = list[list[int]]


@dataclass(frozen=True)
class Waste:
    """What padding costs: steps with data, and steps that are computed for them."""

    real: int
    computed: int

    @property
    def share(self) -> float:
        """The part of the computed steps that is padding, 0 to 1."""
        return 1 - self.real / self.computed if self.computed else 0.0

    @property
    def computed_per_real(self) -> float:
        """Steps computed for each real one, 1 without any padding."""
        return self.computed / self.real if self.real else 1.0


class BucketSampler(Sampler[list[int]]):
    """The batches of an epoch as lists of indices, for the `batch_sampler` of a `DataLoader`.

    A batch has `batch_size` rows, or as many as keep it within `max_tokens` padded steps. Every
    rank gets the same number of batches, of similar length at the same step. No index occurs
    twice; none is left out unless `drop_last` asks for whole batches only. Where batches do not
    divide among the ranks, the largest are halved; with fewer samples than ranks some are empty.
    """

    def __init__(
        self,
        lengths: Sequence[int] | Tensor,
        *,
        batch_size: int | None = None,
        max_tokens: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
        padding: Padding | None = None,
        window: int = _WINDOW,
        rank: int | None = None,
        world_size: int | None = None,
    ) -> None:
        if (batch_size is None) == (max_tokens is None):
            raise UserError("WS919", "setting_batch_or_tokens")
        for name, value in (("batch_size", batch_size), ("max_tokens", max_tokens)):
            if value is not None:
                check_count(name, value)
        check_count("window", window)
        self.padding = padding or Padding()
        # As long as they are in a batch: what is cut off is neither real nor computed.
        most = self.padding.max_length
        self.lengths = [min(each, most or each) for each in check_lengths(lengths)]
        self.batch_size, self.max_tokens, self.window = batch_size, max_tokens, window
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.rank, self.world_size = _place(rank, world_size)
        self.epoch, self.start = 0, 0
        self._planned: tuple[int, list[Batches]] | None = None

    def set_epoch(self, epoch: int, *, start: int = 0) -> None:
        """Take the order of this epoch, from its batch number `start` on.

        A loop that stopped after n batches of an epoch goes on with `start=n`.
        """
        check_count("epoch", epoch, least=0)
        check_count("start", start, least=0)
        self.epoch, self.start = epoch, start

    def __iter__(self) -> Iterator[list[int]]:
        for step in self._steps()[self.start :]:
            yield list(step[self.rank])

    def __len__(self) -> int:
        """The batches of this rank that are left in the epoch."""
        return max(0, len(self._steps()) - self.start)

    def waste(self) -> Waste:
        """What padding costs in this epoch, over all ranks."""
        batches = [batch for step in self._steps() for batch in step]
        real = sum(self.lengths[index] for batch in batches for index in batch)
        return Waste(real, sum(map(self._cost, batches)))

    def _steps(self) -> list[Batches]:
        """The batches of each step, one for each rank; the same in every process."""
        if self._planned is None or self._planned[0] != self.epoch:
            self._planned = self.epoch, self._plan()
        return self._planned[1]

    def _plan(self) -> list[Batches]:
        random = torch.Generator().manual_seed((self.seed * 1_000_003 + self.epoch) % 2**63)
        order = self._shuffled(list(range(len(self.lengths))), random)
        batches = self._shuffled(self._batches(order), random)
        if self.world_size == 1:
            return [[batch] for batch in batches]
        batches = sorted(self._divided(batches), key=self._longest)
        cuts = range(0, len(batches), self.world_size)
        return self._shuffled([batches[cut : cut + self.world_size] for cut in cuts], random)

    def _shuffled(self, items: list[Any], random: torch.Generator) -> list[Any]:
        if not self.shuffle:
            return items
        return [items[place] for place in torch.randperm(len(items), generator=random).tolist()]

    def _batches(self, order: list[int]) -> Batches:
        """Windows of the order, each sorted by length and cut into batches."""
        rows = self.batch_size or self._usual_rows()
        if self.drop_last and self.batch_size:
            whole = self.batch_size * self.world_size
            order = order[: len(order) // whole * whole]
        batches: Batches = []
        for first in range(0, len(order), self.window * rows):
            window = order[first : first + self.window * rows]
            batches += self._cut(sorted(window, key=self.lengths.__getitem__))
        return batches

    def _usual_rows(self) -> int:
        mean = sum(self.lengths) / max(1, len(self.lengths))
        return max(1, int((self.max_tokens or 0) / max(1.0, mean)))

    def _cut(self, order: list[int]) -> Batches:
        """Sorted indices in batches of the size, or within the budget, that was asked for."""
        if self.batch_size is not None:
            cuts = range(0, len(order), self.batch_size)
            return [order[cut : cut + self.batch_size] for cut in cuts]
        most = self.max_tokens or 0
        batches: Batches = []
        for index in order:
            size = self.padding.padded_size(self.lengths[index])
            if size > most:
                raise UserError("WS918", "sample_over_budget", index=index, got=size, most=most)
            if not batches or (len(batches[-1]) + 1) * size > most:
                batches.append([])
            batches[-1].append(index)
        return batches

    def _divided(self, batches: Batches) -> Batches:
        """As many batches as all ranks share equally."""
        if self.drop_last:
            return batches[: len(batches) // self.world_size * self.world_size]
        # The costliest on top; a batch of one row is halved into itself and nothing.
        heap = [(len(batch) < 2, -self._cost(batch), batch) for batch in batches]
        heapq.heapify(heap)
        for _ in range(-len(batches) % self.world_size):
            batch = heapq.heappop(heap)[2]
            half = math.ceil(len(batch) / 2)
            for part in (batch[:half], batch[half:]):
                heapq.heappush(heap, (len(part) < 2, -self._cost(part), part))
        return [batch for _, _, batch in heap]

    def _cost(self, batch: list[int]) -> int:
        return len(batch) * self.padding.padded_size(self._longest(batch)) if batch else 0

    def _longest(self, batch: list[int]) -> int:
        return max((self.lengths[index] for index in batch), default=0)


def check_lengths(lengths: Sequence[Any] | Tensor) -> list[int]:
    """Whole numbers from 1 on, as Python's; the first that is none is named by its index."""
    numbers = lengths.tolist() if isinstance(lengths, Tensor) else list(lengths)
    for index, length in enumerate(numbers):
        if not _is_whole(length) or length < 0:
            raise UserError("WS918", "sample_length", index=index, got=length)
        if length == 0:
            raise UserError("WS917", "sample_empty", index=index)
    return [int(length) for length in numbers]


def _is_whole(length: Any) -> bool:
    if isinstance(length, bool):
        return False
    try:
        # NaN and infinity are neither; 7.0 from a table is.
        return bool(math.isfinite(length)) and length == int(length)
    except (TypeError, ValueError):
        return False


def _place(rank: int | None, world_size: int | None) -> tuple[int, int]:
    """This process among all: as given, as `torch.distributed` knows it, or alone."""
    runs = distributed.is_available() and distributed.is_initialized()
    if world_size is None:
        world_size = distributed.get_world_size() if runs else 1
    if rank is None:
        rank = distributed.get_rank() if runs else 0
    check_count("world_size", world_size)
    check_count("rank", rank, least=0)
    if rank >= world_size:
        raise UserError("WS919", "setting_rank", rank=rank, world_size=world_size)
    return rank, world_size
