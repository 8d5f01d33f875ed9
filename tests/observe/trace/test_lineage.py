"""Axes keep their identity through the operations of a program."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, TensorDataset

from wellshaped.execute.loaders import steered_loaders
from wellshaped.observe.trace.lineage import traced
from wellshaped.observe.trace.node import placed, same_rows
from wellshaped.observe.trace.reshaped_axes import Move, moved, reshaped

# N = 6 rows, T = 5 steps, H = 4 features.
KEEPS_ROWS = {
    "linear": (lambda x: nn.Linear(4, 3)(x), 0),
    "transpose": (lambda x: x.transpose(0, 1), 1),
    "permute": (lambda x: x.permute(2, 0, 1), 1),
    "T of a matrix": (lambda x: x[:, 0].T, 1),
    "mean over time": (lambda x: x.mean(1), 0),
    "keepdim": (lambda x: x.sum(dim=-1, keepdim=True), 0),
    "None in front": (lambda x: x[None], 1),
    "one step": (lambda x: x[:, -1], 0),
    "view and back": (lambda x: x.view(30, 4).view(6, 5, 4), 0),
    "flatten features": (lambda x: x.flatten(1), 0),
    "cut into heads": (lambda x: x.view(6, 5, 2, 2).transpose(1, 2), 0),
    "matrix product": (lambda x: x @ torch.randn(4, 2), 0),
    "attention": (lambda x: x @ x.transpose(1, 2), 0),
    "einsum": (lambda x: torch.einsum("nth,nsh->tns", x, x), 1),
    "convolution": (lambda x: nn.Conv1d(5, 2, 3)(x), 0),
    "recurrent": (lambda x: nn.GRU(4, 3, batch_first=True)(x)[0], 0),
    "last state": (lambda x: nn.LSTM(4, 3, batch_first=True)(x)[1][0], 1),
    "stack at the end": (lambda x: torch.stack([x, x], dim=-1), 0),
    "broadcast": (lambda x: torch.zeros(5, 4) + x, 0),
    "softmax": (lambda x: F.softmax(x, dim=-1), 0),
}


@pytest.mark.parametrize("name", KEEPS_ROWS)
def test_rows_are_followed(name):
    act, place = KEEPS_ROWS[name]
    with traced({}) as trace:
        x = torch.randn(6, 5, 4)
        y = act(x)
        rows, found = trace.node_of(x).axes[0], trace.node_of(y).axes
    assert [axis == rows for axis in found] == [k == place for k in range(y.dim())]


def test_fields_of_a_batch_share_their_rows():
    data = TensorDataset(torch.randn(9, 3), torch.randn(9))
    with steered_loaders(None, whole=True) as loaders, traced({}, loaders) as trace:
        for x, y in DataLoader(data, batch_size=4):
            assert trace.node_of(x).axes[0] == trace.node_of(y).axes[0]
            assert trace.node_of(x).axes[0][0].batch


def test_padded_sequences_know_their_lengths():
    with traced({}) as trace:
        x = pad_sequence([torch.ones(2), torch.ones(5)], batch_first=True)
        rows, time = trace.node_of(x).axes
    assert time[0].lengths == (2, 5)
    assert rows[0].origin == "rows"


def test_what_is_learned_is_known_behind_no_grad_and_argmax():
    layer = nn.Linear(3, 2)
    with traced({}) as trace, torch.no_grad():
        x = torch.randn(4, 3)
        y = layer(x).argmax(1)
        drawn = torch.multinomial(layer(x).softmax(1), 1)
        assert trace.node_of(y).learned
        assert not trace.node_of(x).learned
        assert not trace.node_of(drawn).learned


def test_rows_of_equal_size_made_by_hand_count_as_the_same():
    with traced({}) as trace:
        x, y, short = torch.randn(6, 3), torch.randn(6), torch.randn(3)
        axes = [trace.node_of(each).axes[0] for each in (x, y, short)]
    assert same_rows(axes[0], axes[1])
    assert not same_rows(axes[0], axes[2])


def test_the_record_forgets_tensors_that_died():
    with traced({}) as trace:
        x = torch.randn(3)
        for _ in range(50):
            torch.sin(x)
        assert len(trace.known) < 5


MOVES = [
    ((10, 16, 12), (16, 10, 12), Move("plain", (1, 0, 2))),
    ((24, 3, 6, 8, 8), (144, 3, 8, 8), Move("merged", (0, 2, 1, 3, 4))),
    ((90, 16, 16, 3), (90, 3, 16, 16), Move("plain", (0, 3, 1, 2))),
    ((5, 12, 32), (5, 4, 12, 8), Move("cut", (0, 2, 1, 3), (5, 12, 4, 8))),
    ((5, 12, 32), (5, 12, 4, 8), None),
    ((5, 12, 32), (60, 32), None),
    ((5, 12, 32), (5, 6, 64), None),
    ((8, 1, 28, 28), (8, 784), None),
]


@pytest.mark.parametrize(("before", "after", "move"), MOVES)
def test_a_reshape_that_moves_axes_is_told_from_one_that_keeps_them(before, after, move):
    assert moved(before, after) == move


def test_a_merged_axis_is_cut_where_it_was_joined():
    with traced({}) as trace:
        axes = trace.node_of(torch.randn(6, 5, 4)).axes
    assert reshaped(reshaped(axes, (30, 4)), (6, 5, 4)) == axes


def test_a_part_knows_where_it_begins():
    with traced({}) as trace:
        x = torch.randn(3, 9)
        time = trace.node_of(x).axes[1][0]
        part, every_second = trace.node_of(x[:, 2:][:, 1:-1]), trace.node_of(x[:, ::2])
        assert placed(part.axes[1][0]) == (time, 3)
        assert placed(every_second.axes[1][0]) == (every_second.axes[1][0], 0)
