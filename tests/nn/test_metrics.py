"""Metrics are those of all rows at once, to the last digit, however the rows are divided."""

import itertools
import math
from fractions import Fraction

import pytest
import torch

from tests.floats import near
from tests.nn.batches import a_task
from wellshaped.nn import task
from wellshaped.nn.exact_sum import ExactSum
from wellshaped.nn.table import TABLE, axes_of

tasks = pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.name}-{row.option}")
SIZES = {"B": 40, "T": 6, "C": 3, "L": 3, "K": 2, "V": 7}


def batch_of(row):
    torch.manual_seed(0)
    outputs = torch.randn([SIZES[axis] for axis in axes_of(row.outputs)])
    shape = [SIZES[axis] for axis in axes_of(row.targets)]
    targets = {
        "classes": lambda: torch.randint(SIZES.get(row.axis, 1), shape),
        "zero_one": lambda: torch.randint(2, shape),
        "numbers": lambda: torch.randn(shape) * 10 ** torch.randn(shape),
        "scores": lambda: torch.randn(shape),
    }[row.target_values]()
    return outputs, targets, torch.randint(1, 7, (40,)) if row.by_position else None


def computed(row, parts):
    metrics = a_task(row).metrics()
    for outputs, targets, real in parts:
        metrics.update(outputs, targets, real)
    return metrics.compute()


@tasks
@pytest.mark.parametrize("seed", range(3))
def test_the_same_however_rows_are_divided(row, seed):
    outputs, targets, real = batch_of(row)
    whole = computed(row, [(outputs, targets, real)])
    assert tuple(whole) == row.metrics
    assert all(math.isfinite(value) for value in whole.values())
    torch.manual_seed(seed)
    order = torch.randperm(40)
    cuts = [0, *sorted(torch.randint(41, (5,)).tolist()), 40]
    chosen = [order[a:b] for a, b in itertools.pairwise(cuts)]
    parts = [(outputs[i], targets[i], real if real is None else real[i]) for i in chosen]
    assert computed(row, parts) == whole


@tasks
def test_nothing_counted_is_nan(row):
    outputs, targets, real = batch_of(row)
    none = a_task(row).metrics()
    assert all(math.isnan(value) for value in none.compute().values())
    none.update(outputs[:0], targets[:0], None if real is None else real[:0])
    assert all(math.isnan(value) for value in none.compute().values())


def test_reset_begins_again():
    metrics = task("binary").metrics()
    metrics.update(torch.tensor([1.0]), torch.tensor([0]))
    metrics.reset()
    metrics.update(torch.tensor([1.0]), torch.tensor([1]))
    assert metrics.compute()["accuracy"] == 1


def test_binary():
    metrics = task("binary").metrics()
    metrics.update(torch.tensor([2.0, 1.0, -1.0, -2.0, 3.0]), torch.tensor([1, 0, 1, 0, 1]))
    wanted = {"accuracy": 3 / 5, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}
    assert metrics.compute() == near(wanted)


def test_multiclass_means_over_the_classes_that_occur():
    metrics = task("multiclass", num_classes=4).metrics()
    found = torch.nn.functional.one_hot(torch.tensor([0, 0, 1, 1]), 4).float()
    metrics.update(found, torch.tensor([0, 1, 1, -100]))
    # Of class 0: one hit, predicted twice, meant once. Of class 1: one, once, twice.
    assert metrics.compute() == near({"accuracy": 2 / 3, "macro_f1": 2 / 3})


def test_multilabel():
    metrics = task("multilabel", num_labels=2).metrics()
    outputs = torch.tensor([[1.0, -1.0], [1.0, 1.0], [-1.0, -1.0]])
    metrics.update(outputs, torch.tensor([[1, 0], [0, 1], [0, 1]]))
    wanted = {"label_accuracy": 4 / 6, "exact_match": 1 / 3, "micro_f1": 4 / 6}
    assert metrics.compute() == near({**wanted, "macro_f1": 2 / 3})


def test_regression():
    metrics = task("regression", num_outputs=2).metrics()
    outputs = torch.tensor([[1.0, 0.0], [2.0, 4.0], [6.0, 2.0]])
    metrics.update(outputs, torch.tensor([[1.0, 0.0], [3.0, 4.0], [5.0, 8.0]]))
    r2 = ((1 - 2 / 8) + (1 - 36 / 32)) / 2
    wanted = {"mae": 8 / 6, "rmse": math.sqrt(38 / 6), "r2": r2}
    assert metrics.compute() == near(wanted)


def test_r2_far_from_zero_loses_no_digits():
    metrics, targets = task("regression").metrics(), torch.tensor([1e6, 1e6 + 1, 1e6 + 2])
    metrics.update(targets + torch.tensor([0.5, 0.0, -0.5]), targets)
    assert metrics.compute()["r2"] == 1 - 0.5 / 2


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300])
def test_what_is_not_finite_is_nan(value):
    metrics = task("regression").metrics()
    outputs = torch.tensor([value, 1.0], dtype=torch.float64)
    metrics.update(outputs, torch.tensor([1.0, 2.0]))
    assert all(math.isnan(each) for each in metrics.compute().values())


def test_tags_count_by_token_and_by_sequence():
    metrics = task("tagging", num_classes=2).metrics()
    found = torch.tensor([[0, 1, 1], [1, 1, 0]])
    outputs = torch.nn.functional.one_hot(found, 2).float()
    metrics.update(outputs, torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([2, 3]))
    values = metrics.compute()
    assert values["token_accuracy"] == 4 / 5
    assert values["exact_match"] == 1 / 2


def test_pairs():
    metrics = task("reward").metrics()
    metrics.update(torch.tensor([1.0, 0.0, 2.0]), torch.tensor([0.0, 0.0, 4.0]))
    assert metrics.compute() == near({"pair_accuracy": 1 / 3, "margin": -1 / 3})


def test_only_chosen_rows_are_counted():
    metrics = task("binary").metrics()
    chosen = torch.tensor([True, False])
    metrics.update(torch.tensor([1.0, 1.0]), torch.tensor([1, 0]), chosen)
    assert metrics.compute()["accuracy"] == 1


def test_sums_are_exact():
    torch.manual_seed(0)
    values = (
        torch.randn(3000, dtype=torch.float64) * 10.0 ** torch.randint(-300, 300, (3000,)).double()
    )
    extremes = torch.tensor([5e-324, 0.0, -1.7e308, 1.7e308, 1.7e308], dtype=torch.float64)
    values = torch.cat([values, extremes])
    total = ExactSum()
    for part in values.split(700):
        total.add(part)
    assert total.value == sum(map(Fraction, values.tolist()))
    assert ExactSum().value == 0
