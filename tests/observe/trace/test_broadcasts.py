"""Every broadcast of a program is listed: its shapes, how often, and how suspicious it is."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from wellshaped.execute.loaders import steered_loaders
from wellshaped.observe.trace.detect import Detectors, detect_hazards

ROWS = 8


def listed(act):
    data = TensorDataset(torch.randn(ROWS, 3), torch.randn(ROWS))
    with (
        steered_loaders(None, whole=True) as loaders,
        detect_hazards(Detectors(), loaders, broadcasts=True) as trace,
    ):
        for x, y in DataLoader(data, batch_size=ROWS):
            act(x, y, nn.Linear(3, 1)(x))
    return list(trace.broadcasts.values())


KINDS = {
    "column minus vector": (lambda x, y, p: p - y, "pairs", (ROWS, ROWS)),
    "inside a loss": (lambda x, y, p: F.poisson_nll_loss(p, y), "pairs", (ROWS, ROWS)),
    "inside a loss module": (
        lambda x, y, p: nn.KLDivLoss(reduction="sum")(p, y),
        "pairs",
        (ROWS, ROWS),
    ),
    "features of a row": (lambda x, y, p: x.view(1, ROWS, 3) + x, "ranks", (1, ROWS, 3)),
    "a table": (lambda x, y, p: p * torch.randn(1, 5), "both", (ROWS, 5)),
    "a scale": (lambda x, y, p: x * torch.rand(3), "one", (ROWS, 3)),
    "a weight": (lambda x, y, p: x * nn.Parameter(torch.rand(3)), "weights", (ROWS, 3)),
}


@pytest.mark.parametrize("name", KINDS)
def test_suspicion_follows_where_the_operands_come_from(name):
    act, suspicion, result = KINDS[name]
    found = listed(act)
    assert [(each.suspicion, each.result) for each in found] == [(suspicion, result)]


def test_a_place_is_listed_once_for_each_pair_of_shapes():
    def act(x, y, p):
        for width in (3, 3, 1):
            x + torch.zeros(width)

    assert [(each.shapes[1], each.count) for each in listed(act)] == [((3,), 2), ((1,), 1)]


def test_equal_shapes_and_numbers_are_no_broadcast():
    assert listed(lambda x, y, p: (x + x, x * 2, x - x.mean())) == []


def test_nothing_is_listed_unless_it_is_asked_for():
    with detect_hazards(Detectors()) as trace:
        torch.zeros(4, 3) + torch.zeros(3)
    assert not trace.broadcasts
