"""Loaders of every kind give the batch sizes they are asked for, in this process."""

import pytest
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    SequentialSampler,
    TensorDataset,
    get_worker_info,
)

from wellshaped.execute.loaders import steered_loaders

ROWS = TensorDataset(torch.arange(10.0))


class Pairs:
    """A sampler of the user's own: neighbours, five rows, five rows."""

    def __init__(self):
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return 2

    def __iter__(self):
        yield range(5)
        yield [5, 6, 7, 8]


def sizes(loader):
    return [len(rows) for (rows,) in loader]


def make(kind):
    sampler = BatchSampler(SequentialSampler(ROWS), 4, drop_last=False)
    if kind == "batch size":
        return DataLoader(ROWS, 4)
    if kind == "batch sampler":
        return DataLoader(ROWS, batch_sampler=sampler)
    if kind == "sampler of batches":
        return DataLoader(ROWS, batch_size=None, sampler=sampler)
    return DataLoader(ROWS, batch_sampler=Pairs())


@pytest.mark.parametrize("kind", ["batch size", "batch sampler", "sampler of batches"])
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_every_way_to_name_a_size_is_steered(kind, size):
    with steered_loaders(size, whole=True) as loaders:
        assert sizes(make(kind)) == [size] * (10 // size) + [10 % size] * (10 % size > 0)
    assert loaders.sizes == {4}
    assert sizes(make(kind)) == [4, 4, 2]


def test_batches_of_the_users_own_are_cut():
    with steered_loaders(3, whole=True) as loaders:
        assert sizes(make("own")) == [3, 3]
    assert loaders.sizes == {4, 5}
    with steered_loaders(None, whole=True) as loaders:
        assert sizes(make("own")) == [5, 4]
    assert (loaders.met, loaders.current) == ({4, 5}, 4)


def test_a_cut_sampler_is_still_the_users_own():
    with steered_loaders(3, whole=True):
        loader = make("own")
        loader.batch_sampler.set_epoch(7)
        assert (len(loader), loader.batch_sampler.epoch) == (2, 7)


@pytest.mark.parametrize("kind", ["batch size", "batch sampler"])
def test_short_loaders_keep_the_last_partial_batch(kind):
    many = TensorDataset(torch.arange(101.0))
    sampler = BatchSampler(SequentialSampler(many), 8, drop_last=False)
    with steered_loaders(None, whole=False):
        by_size = DataLoader(many, batch_size=8)
        loader = by_size if kind == "batch size" else DataLoader(many, batch_sampler=sampler)
        assert sizes(loader) == [8, 8, 5]


@pytest.mark.parametrize(
    ("rows", "size", "given", "cut"),
    [(16, None, [8, 8], False), (19, None, [8, 8, 3], False), (24, None, [8, 8], True),
     (27, None, [8, 8, 3], True), (8, 4, [4, 4], False), (9, 4, [4, 4], True)],
)  # fmt: skip
def test_only_a_loader_that_had_more_to_give_is_shortened(rows, size, given, cut):
    """Every time it is gone through, the first batches come."""
    with steered_loaders(size, whole=False) as loaders:
        loader = DataLoader(TensorDataset(torch.arange(float(rows))), batch_size=8)
        assert [sizes(loader) for _ in range(3)] == [given] * 3
    assert loaders.shortened == cut


class Shard(IterableDataset[tuple[torch.Tensor]]):
    def __iter__(self):
        info = get_worker_info()
        for number in range(info.id, 6, info.num_workers):
            yield (torch.tensor(float(number)),)


class WhoAsks(Dataset[torch.Tensor]):
    def __len__(self):
        return 2

    def __getitem__(self, place):
        return torch.tensor(get_worker_info() is None)


def test_workers_are_this_process_and_know_their_number():
    with steered_loaders(2, whole=True):
        loader = DataLoader(Shard(), batch_size=3, num_workers=4, persistent_workers=True)
        assert sizes(loader) == [2, 2, 2]
        assert [each.tolist() for each in DataLoader(WhoAsks(), 2)] == [[True, True]]
    assert get_worker_info() is None


class Endless(IterableDataset[torch.Tensor]):
    def __iter__(self):
        while True:
            yield torch.zeros(2)


def test_nobody_looks_for_the_last_batch_of_an_endless_stream():
    with steered_loaders(None, whole=True, hurry=lambda: True) as loaders:
        given = [len(rows) for rows in DataLoader(Endless(), 4)]
    assert set(given) == {4}
    assert loaders.shortened
