"""Batches of other sizes keep their form, their other axes and what is not of the batch."""

from collections import OrderedDict, UserDict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from wellshaped.observe.batches import find_rows


class Pair(NamedTuple):
    x: Any
    y: Any


@dataclass(frozen=True)
class Batch:
    x: Any
    name: str = "a"
    cached: Any = field(init=False, default=None)


def rows(*shape):
    return torch.arange(torch.Size(shape).numel()).reshape(shape)


X, Y = rows(4, 3), rows(4)


def test_rows_are_repeated_from_the_start_or_cut():
    found = find_rows(X)
    assert found.count == 4
    assert torch.equal(found.of(2), X[:2])
    assert torch.equal(found.of(6), torch.cat([X, X[:2]]))
    assert found.of(4) is X, "its own size is the batch itself"


@pytest.mark.parametrize(
    ("batch", "parts"),
    [
        ((X, Y), lambda made: made),
        ([X, Y], lambda made: made),
        (Pair(X, Y), lambda made: (made.x, made.y)),
        ({"x": X, "y": Y}, lambda made: (made["x"], made["y"])),
        (OrderedDict(x=X, y=Y), lambda made: (made["x"], made["y"])),
        (UserDict(x=X, y=Y), lambda made: (made["x"], made["y"])),
        (Batch((X, Y)), lambda made: made.x),
        ({"in": (X, {"y": Y})}, lambda made: (made["in"][0], made["in"][1]["y"])),
        ((np.asarray(X), Y), lambda made: made),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_form_is_kept(batch, parts):
    made = find_rows(batch).of(2)
    assert type(made) is type(batch)
    x, y = parts(made)
    assert np.array_equal(x, X[:2])
    assert torch.equal(y, Y[:2])
    x, y = parts(batch)
    assert (tuple(x.shape), tuple(y.shape)) == ((4, 3), (4,)), "the batch itself has changed"


def test_what_has_no_rows_is_left_alone():
    weight, scale = rows(7), torch.tensor(2.0)
    made = find_rows({"x": X, "y": Y, "weight": weight, "scale": scale, "epoch": 4}).of(2)
    assert made["weight"] is weight
    assert made["scale"] is scale
    assert made["epoch"] == 4


def test_entries_for_each_row_are_cut_with_them():
    boxes = [rows(n, 2) for n in (1, 3, 2, 5)]
    made = find_rows({"x": X, "texts": [*"abcd"], "boxes": boxes, "pair": [X, Y]}).of(3)
    assert made["texts"] == ["a", "b", "c"]
    assert made["boxes"] == boxes[:3]
    assert [tuple(each.shape) for each in made["pair"]] == [(3, 3), (3,)]


@pytest.mark.parametrize(
    "samples",
    [
        [(rows(3), 0), (rows(3), 1)],
        [{"x": rows(3), "y": 0}, {"x": rows(3), "y": 1}],
        [rows(3, 2), rows(5, 2)],
    ],
)
def test_a_list_of_samples_has_a_row_for_each(samples):
    found = find_rows(samples)
    assert (found.count, found.samples) == (2, True)
    assert [id(each) for each in found.of(3)] == [id(samples[i]) for i in (0, 1, 0)]


def test_a_leaf_stays_one():
    given = torch.ones(4, 3, requires_grad=True)
    made = find_rows(given).of(2)
    assert made.is_leaf
    assert made.requires_grad


@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        (rows(8, 5), (8, 1, 2, 3)),
        (rows(8, 3), (8, 1, 2, 4)),
        ((rows(8, 2, 3), rows(8, 4)), (8, 1, 5, 6)),
        (rows(2, 5), (2, 1, 3)),
        (rows(1, 5), (1, 2, 3)),
    ],
)
def test_sizes_of_other_axes_are_avoided(batch, sizes):
    assert find_rows(batch).sizes() == sizes


@pytest.mark.parametrize(
    ("batch", "words"),
    [
        ("text", "no tensor"),
        ({"x": 1, "y": None}, "no tensor"),
        (torch.tensor(1.0), "no tensor"),
        ((rows(4, 3), rows(5)), r"share no first axis: \(4, 3\), \(5,\)"),
        (torch.zeros(0, 3), "no rows"),
    ],
)
def test_a_batch_without_rows_is_refused(batch, words):
    with pytest.raises(ValueError, match=f"WS971: .*{words}"):
        find_rows(batch)
