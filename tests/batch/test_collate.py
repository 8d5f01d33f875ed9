"""Each task gets inputs and targets of its shapes, at one row and at none; a misfit is named."""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._pytree import tree_map
from torch.utils.data import DataLoader

from wellshaped.batch import (
    BucketSampler,
    Padded,
    Padding,
    RewardCollate,
    Stacking,
    TaggingCollate,
    collate_for,
)
from wellshaped.nn.table import TABLE, axes_of
from wellshaped.records.phrase import UserError

# A task, its sizes, two samples, and the targets of both.
TASKS = [
    ("binary", {}, [([1, 2], 1), ([3], False)], [1.0, 0.0]),
    ("multiclass", {"num_classes": 3}, [([1, 2], 2), ([3], -100)], [2, -100]),
    ("multilabel", {"num_labels": 3}, [([1, 2], [0, 2]), ([3], [])], [[1.0, 0, 1], [0.0, 0, 0]]),
    (
        "multilabel",
        {"num_labels": 2, "given": "zero_one"},
        [([1, 2], [1, 0]), ([3], [True, True])],
        [[1.0, 0], [1.0, 1]],
    ),
    ("regression", {}, [([1, 2], 0.5), ([3], 2)], [0.5, 2.0]),
    ("regression", {"num_outputs": 2}, [([1, 2], [1.5, 0]), ([3], [2, 3])], [[1.5, 0], [2, 3]]),
    ("tagging", {"num_classes": 4}, [([1, 2], [3, 0]), ([3], [1])], [[3, 0], [1, -100]]),
    (
        "seq2seq",
        {"vocab_size": 9, "eos": 8},
        [([1, 2], [5]), ([3], [6, 7])],
        [[5, 8, -100], [6, 7, 8]],
    ),
]


def values_of(part):
    return part.values if isinstance(part, Padded) else part


@pytest.mark.parametrize(("task", "sizes", "samples", "wanted"), TASKS)
def test_targets_are_as_the_table_of_tasks_says(task, sizes, samples, wanted):
    collate = pickle.loads(pickle.dumps(collate_for(task, **sizes)))
    batch = collate(samples)
    assert batch.inputs.values.tolist() == [[1, 2], [3, 0]]
    targets = values_of(batch.targets)
    assert targets.tolist() == wanted
    rows = {row.option: row for row in TABLE if row.name == task}
    row = next(rows[option] for option in (*sizes, None) if option in rows)
    assert targets.ndim == len(axes_of(row.targets))
    assert targets.dtype == (torch.int64 if row.target_values == "classes" else torch.float32)
    assert collate([{"inputs": x, "targets": y} for x, y in samples]).targets is not None
    for count in (0, 1):
        smaller = collate(samples[:count])
        assert (len(smaller.inputs.lengths), len(values_of(smaller.targets))) == (count, count)
        assert values_of(smaller.targets).dtype == targets.dtype
        assert values_of(smaller.targets).ndim == targets.ndim
        assert smaller.inputs.values.dtype == torch.int64


def test_tags_are_cut_and_padded_like_their_inputs():
    padding = Padding(
        dtype=torch.int64, side="left", max_length=2, keep="end", pad_to_multiple_of=4
    )
    batch = TaggingCollate(num_classes=9, inputs=padding)([([1, 2, 3], [4, 5, 6]), ([7], [8])])
    assert batch.inputs.values.tolist() == [[0, 0, 2, 3], [0, 0, 0, 7]]
    assert batch.targets.values.tolist() == [[-100, -100, 5, 6], [-100, -100, -100, 8]]
    assert torch.equal(batch.inputs.mask, batch.targets.mask)


def test_a_target_that_is_cut_does_not_end():
    collate = collate_for("seq2seq", vocab_size=9, eos=8, outputs=Padding(max_length=2))
    batch = collate([([1], [5, 6]), ([1], [7])])
    assert batch.targets.values.tolist() == [[5, 6], [7, 8]]


def test_features_of_one_shape_are_stacked():
    collate = collate_for("regression", inputs=Stacking((3,), torch.float32))
    assert collate([(torch.ones(3), 1), (np.zeros(3), 2)]).inputs.shape == (2, 3)
    assert collate([]).inputs.shape == (0, 3)
    assert collate_for("regression", inputs=Stacking())([(torch.ones(3), 1)]).inputs.shape == (1, 3)


def test_pairs_go_through_one_forward():
    samples = [
        {"prompt": [1], "chosen": [2, 3], "rejected": [4]},
        {"prompt": [5, 5], "chosen": [6], "rejected": [7]},
    ]
    pairs = RewardCollate()(samples)
    assert pairs.inputs.tolist() == [[2, 3], [6], [4], [7]]
    chosen, rejected = pairs.split(torch.tensor([1.0, 2, 3, 4]))
    assert (chosen.tolist(), rejected.tolist()) == ([1, 2], [3, 4])
    prompted = RewardCollate(fields=("chosen", "rejected", "prompt"))(samples)
    assert prompted.inputs.tolist() == [[1, 2, 3], [5, 5, 6], [1, 4], [5, 5, 7]]
    empty = RewardCollate()([])
    assert [part.shape for part in empty.split(torch.zeros(0))] == [(0,), (0,)]


@given(st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=6), max_size=5), st.integers(1, 6))
@settings(deadline=None)
def test_what_counts_in_targets_is_what_is_real(rows, multiple):
    padding = Padding(dtype=torch.int64, pad_to_multiple_of=multiple)
    batch = TaggingCollate(num_classes=9, inputs=padding)([(row, row) for row in rows])
    assert batch.targets.tolist() == batch.inputs.tolist() == rows
    assert ((batch.targets.values != -100) == batch.inputs.mask).all()


@pytest.mark.parametrize(
    ("task", "sizes", "good", "bad", "message"),
    [
        ("binary", {}, 1, ([1], 2), r"WS916: sample 1\[1\] has the target 2.0, .* neither 0 nor 1"),
        (
            "binary",
            {},
            1,
            ([1], [1]),
            r"WS915: sample 1\[1\] has shape \(1,\); its batch needs \(\)",
        ),
        ("binary", {}, 1, ([], 1), r"WS917: sample 1\[0\] is empty"),
        ("binary", {}, 1, ([0.5], 1), r"WS916: sample 1\[0\] is float32; its batch needs int64"),
        ("binary", {}, 1, {"inputs": [1]}, "WS915: sample 0 is a `tuple`"),
        ("binary", {}, 1, ([1],), "WS915: sample 1 does not consist of inputs, targets"),
        ("multiclass", {"num_classes": 3}, 2, ([1], 3), r"WS916: sample 1\[1\] .* 3; .* 0 to 2"),
        ("multiclass", {"num_classes": 3}, 2, ([1], 0.5), r"WS916: sample 1\[1\] is float32"),
        ("multilabel", {"num_labels": 3}, [2], ([1], [3]), r"WS916: sample 1\[1\] .* number 3"),
        ("multilabel", {"num_labels": 3}, [2], ([1], [1, 0, 1]), r"WS916: sample 1\[1\] repeats"),
        (
            "multilabel",
            {"num_labels": 3},
            [2],
            ([1], 1),
            r"WS915: sample 1\[1\] is a single number",
        ),
        ("multilabel", {"num_labels": 3}, [2], ([1], torch.tensor(1)), r"WS915: sample 1\[1\]"),
        (
            "multilabel",
            {"num_labels": 3, "given": "zero_one"},
            [1, 1, 0],
            ([1], [1, 0]),
            r"WS915: .*\(3,\)",
        ),
        ("regression", {}, 0.5, ([1], float("nan")), r"WS916: sample 1\[1\] has the target nan"),
        ("regression", {}, 0.5, ([1], None), r"WS916: sample 1\[1\] holds a `NoneType`"),
        (
            "regression",
            {"num_outputs": 2},
            [1, 2.5],
            ([1], [1.0]),
            r"WS915: sample 1\[1\] .*\(2,\)",
        ),
        (
            "tagging",
            {"num_classes": 3},
            [2],
            ([1, 2], [0]),
            r"WS918: sample 1\[1\] has 1 .* 2 steps",
        ),
        ("tagging", {"num_classes": 3}, [2], ([1, 2], [0, 3]), r"WS916: sample 1\[1\] .* number 3"),
        (
            "seq2seq",
            {"vocab_size": 5, "eos": 4},
            [2],
            ([1], [5]),
            r"WS916: sample 1\[1\] .* number 5",
        ),
        ("seq2seq", {"vocab_size": 5, "eos": 4, "bos": 3}, [2], ([1], [3, 1]), r"WS916: .* begins"),
        ("reward", {}, [2], ([1], []), r"WS917: sample 1\[1\] is empty"),
    ],
)
def test_a_sample_that_does_not_fit_is_named(task, sizes, good, bad, message):
    with pytest.raises(UserError, match=f"^{message}"):
        collate_for(task, **sizes)([([1], good), bad])


def test_settings_are_checked():
    with pytest.raises(UserError, match=r"^WS919: `task` is one of binary, .*, not `ranking`"):
        collate_for("ranking")
    with pytest.raises(UserError, match=r"^WS919: `given`"):
        collate_for("multilabel", num_labels=2, given="words")


def test_a_rank_without_rows_gets_a_batch_without_rows():
    rows = [([1, 2], 1), ([3], 0)]
    sizes = []
    for rank in range(3):
        sampler = BucketSampler([2, 1], batch_size=2, rank=rank, world_size=3)
        loader = DataLoader(rows, batch_sampler=sampler, collate_fn=collate_for("binary"))
        sizes += [len(batch.targets) for batch in loader]
    assert sorted(sizes) == [0, 1, 1]


@pytest.mark.parametrize(("workers", "error"), [(0, UserError), (1, RuntimeError)])
def test_a_loader_names_the_sample_from_its_workers_too(workers, error):
    rows = [([1], 1), ([], 1)]
    loader = DataLoader(rows, batch_size=2, collate_fn=collate_for("binary"), num_workers=workers)
    with pytest.raises(error, match=r"WS917: sample 1\[0\] is empty"):
        next(iter(loader))


def test_a_batch_moves_and_is_mapped_as_a_whole():
    batch = collate_for("binary")([([1, 2], 1)])
    assert batch.to("meta").inputs.lengths.device.type == "meta"
    assert tree_map(lambda tensor: tensor + 1, batch).targets.tolist() == [2.0]
    pairs = tree_map(lambda tensor: tensor * 2, RewardCollate()([([1], [2])]).to("cpu"))
    assert pairs.inputs.values.tolist() == [[2], [4]]
