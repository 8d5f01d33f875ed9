"""Every sample once an epoch, over all ranks; similar lengths together; the waste is told."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler, Padding, pad
from wellshaped.records.phrase import UserError

LENGTHS = st.lists(st.integers(1, 30), max_size=60)
SIZES = st.one_of(
    st.fixed_dictionaries({"batch_size": st.integers(1, 9)}),
    st.fixed_dictionaries({"max_tokens": st.integers(30, 90)}),
)
OPTIONS = {"window": st.integers(1, 4), "seed": st.integers(0, 3), "shuffle": st.booleans()}


def ranks_of(lengths, world_size, epoch=0, **options):
    """The batches of each rank."""
    found = []
    for rank in range(world_size):
        sampler = BucketSampler(lengths, rank=rank, world_size=world_size, **options)
        sampler.set_epoch(epoch)
        found.append(list(sampler))
        assert len(sampler) == len(found[-1])
    return found


@given(LENGTHS, SIZES, st.integers(1, 5), st.integers(0, 3), st.fixed_dictionaries(OPTIONS))
@settings(deadline=None)
def test_every_index_comes_once_and_ranks_stay_in_step(lengths, size, world_size, epoch, options):
    ranks = ranks_of(lengths, world_size, epoch, **size, **options)
    indices = [index for batches in ranks for batch in batches for index in batch]
    assert sorted(indices) == list(range(len(lengths)))
    assert len({len(batches) for batches in ranks}) == 1
    for batch in (batch for batches in ranks for batch in batches):
        assert len(batch) <= size.get("batch_size", math.inf)
        steps = len(batch) * max((lengths[index] for index in batch), default=0)
        assert steps <= size.get("max_tokens", math.inf)


@given(LENGTHS, st.integers(1, 9), st.integers(1, 4))
@settings(deadline=None)
def test_whole_batches_only_if_asked(lengths, batch_size, world_size):
    ranks = ranks_of(lengths, world_size, batch_size=batch_size, drop_last=True)
    indices = [index for batches in ranks for batch in batches for index in batch]
    assert len(set(indices)) == len(indices)
    assert len(lengths) - len(indices) < batch_size * world_size
    assert {len(batch) for batches in ranks for batch in batches} <= {batch_size}


@given(LENGTHS, st.integers(2, 4))
@settings(deadline=None)
def test_within_a_budget_only_the_batches_that_do_not_divide_are_dropped(lengths, world_size):
    ranks = ranks_of(lengths, world_size, max_tokens=60, drop_last=True)
    assert len({len(batches) for batches in ranks}) == 1
    alone = ranks_of(lengths, 1, max_tokens=60)[0]
    assert sum(map(len, ranks)) == len(alone) // world_size * world_size


def test_an_epoch_can_be_repeated_and_the_next_is_another():
    sampler = BucketSampler([5] * 40, batch_size=4, seed=3)
    first = list(sampler)
    torch.randperm(9)  # The order does not hang on the global seed.
    assert list(sampler) == first
    sampler.set_epoch(1)
    assert list(sampler) != first
    sampler.set_epoch(0)
    assert list(sampler) == first
    # A plain sum of seed and epoch would give these the same order.
    other = BucketSampler([5] * 40, batch_size=4, seed=2)
    other.set_epoch(1)
    assert list(other) != first


@pytest.mark.parametrize("start", [0, 3, 10, 99])
def test_an_epoch_goes_on_where_it_was_left(start):
    sampler = BucketSampler([*range(1, 41)], batch_size=4)
    sampler.set_epoch(2)
    whole = list(sampler)
    sampler.set_epoch(2, start=start)
    assert list(sampler) == whole[start:]
    assert len(sampler) == len(whole[start:])


def test_batches_of_one_step_are_of_similar_length():
    lengths = torch.arange(1, 161)[torch.randperm(160)].tolist()
    ranks = ranks_of(lengths, 2, batch_size=8)
    longest = [[max(lengths[index] for index in batch) for batch in batches] for batches in ranks]
    assert max(abs(a - b) for a, b in zip(*longest, strict=True)) <= 8


def test_the_largest_batch_is_halved_where_batches_do_not_divide():
    ranks = ranks_of([3] * 10, 2, batch_size=4)
    assert sorted(len(batch) for batches in ranks for batch in batches) == [2, 2, 2, 4]


def test_fewer_samples_than_ranks_leave_empty_batches():
    ranks = ranks_of([3, 4], 3, batch_size=4)
    assert sorted(len(batch) for (batch,) in ranks) == [0, 1, 1]


def test_the_waste_is_what_padding_adds():
    lengths, padding = [1, 2, 7, 8, 30], Padding(max_length=10, pad_to_multiple_of=4)
    sampler = BucketSampler(lengths, batch_size=2, padding=padding)
    rows = [[1] * length for length in lengths]
    batches = [padding([rows[index] for index in batch]) for batch in sampler]
    waste = sampler.waste()
    assert waste.real == sum(int(batch.lengths.sum()) for batch in batches) == 28
    assert waste.computed == sum(batch.values.numel() for batch in batches)
    assert waste.share == pytest.approx(1 - 28 / waste.computed)
    assert waste.computed_per_real == pytest.approx(waste.computed / 28)
    nothing = BucketSampler([], batch_size=2).waste()
    assert (nothing.share, nothing.computed_per_real) == (0, 1)


def test_buckets_waste_less_than_the_order_of_the_data():
    torch.manual_seed(0)
    lengths = torch.empty(2000).log_normal_(3, 0.8).ceil().long()
    bucketed = BucketSampler(lengths, batch_size=16).waste()
    plain = BucketSampler(lengths, batch_size=16, window=1).waste()
    assert bucketed.share < 0.2 < 0.6 < plain.share


def test_a_loader_takes_its_batches_from_it():
    rows = [[index] * (index + 1) for index in range(7)]
    sampler = BucketSampler([len(row) for row in rows], batch_size=3)
    loader = DataLoader(rows, batch_sampler=sampler, collate_fn=pad)
    assert len(loader) == 3
    seen = [row for batch in loader for row in batch.tolist()]
    assert sorted(seen) == rows


@pytest.mark.parametrize(
    ("lengths", "options", "message"),
    [
        ([3, float("nan")], {}, "WS918: the length of sample 1 is nan"),
        ([3, 2.5], {}, "WS918: the length of sample 1 is 2.5"),
        ([3, -1], {}, "WS918: the length of sample 1 is -1"),
        ([3, None], {}, "WS918: the length of sample 1 is None"),
        ([3, True], {}, "WS918: the length of sample 1 is True"),
        (torch.tensor([3.0, math.inf]), {}, "WS918: the length of sample 1 is inf"),
        ([3, 0], {}, "WS917: sample 1 is empty"),
        ([3, 9], {"batch_size": None, "max_tokens": 8}, "WS918: sample 1 has 9 steps .* allows 8"),
        ([3], {"batch_size": None}, "WS919: either `batch_size` or `max_tokens`"),
        ([3], {"max_tokens": 8}, "WS919: either `batch_size` or `max_tokens`"),
        ([3], {"batch_size": 0}, "WS919: `batch_size`"),
        ([3], {"rank": 2, "world_size": 2}, "WS919: `rank` is 2"),
        ([3], {"rank": -1}, "WS919: `rank`"),
        ([3], {"window": 0}, "WS919: `window`"),
    ],
)
def test_what_does_not_fit_is_named(lengths, options, message):
    with pytest.raises(UserError, match=f"^{message}"):
        list(BucketSampler(lengths, **{"batch_size": 2, **options}))


def test_lengths_of_a_table_are_taken_as_whole_numbers():
    assert list(BucketSampler(torch.tensor([3.0]), batch_size=1)) == [[0]]


def test_a_running_process_group_gives_the_rank(monkeypatch):
    monkeypatch.setattr("torch.distributed.is_initialized", lambda: True)
    monkeypatch.setattr("torch.distributed.get_rank", lambda: 1)
    monkeypatch.setattr("torch.distributed.get_world_size", lambda: 3)
    sampler = BucketSampler([1] * 6, batch_size=1)
    assert (sampler.rank, sampler.world_size, len(sampler)) == (1, 3, 2)
