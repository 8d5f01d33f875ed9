"""A step is taken from a program wherever its batch comes from; else nothing is claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from wellshaped import check
from wellshaped.execute import Program
from wellshaped.observe.batches import find_rows
from wellshaped.records.certificate import Certificate
from wellshaped.relations import certify, certify_step

_HEAD = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
X, Y = torch.randn(24, 5), torch.randint(0, 3, (24,))
model = nn.Linear(5, 3)
opt = torch.optim.SGD(model.parameters(), 0.1)
def step(x, y):
    scores = model(x)
    scores = scores - scores.mean(0)
    opt.zero_grad()
    F.cross_entropy(scores, y).backward()
    opt.step()
"""
LOOPS = {
    "a loader": "for x, y in DataLoader(TensorDataset(X, Y), 8):\n    step(x, y)\n",
    "views of one tensor": "for i in range(0, 24, 8):\n    step(X[i:i + 8], Y[i:i + 8])\n",
    "a split": "for at in torch.randperm(24).split(8):\n    step(X[at], Y[at])\n",
    "a list": "for x, y in [(X[:8], Y[:8]), (X[8:16], Y[8:16])]:\n    step(x, y)\n",
    "the whole of it": "for _ in range(3):\n    step(X, Y)\n",
}


def _certified(tmp_path: Path, text: str) -> Certificate:
    file = tmp_path / "train.py"
    file.write_text(_HEAD + text)
    return certify(Program(str(file)), seconds=60)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_batch_may_come_from_anywhere(tmp_path: Path, loop: str) -> None:
    made = _certified(tmp_path, LOOPS[loop])
    assert made.rows in (8, 24)
    rows, order = made.of("rows"), made.of("order")
    assert rows is not None
    assert order is not None
    assert rows.passage is not None
    assert (rows.standing, rows.passage.text) == ("broken", "scores - scores.mean(0)")
    assert order.standing == "holds"


@pytest.mark.parametrize(
    ("loop", "reason"), [("step(X, Y)\n", "one_step"), ("print(model(X).sum())\n", "no_step")]
)
def test_what_has_no_second_step_is_not_measured(tmp_path: Path, loop: str, reason: str) -> None:
    for each in _certified(tmp_path, loop).relations:
        assert each.reason is not None
        assert (each.standing, each.reason.name) == ("not_measured", reason)


def test_rows_that_come_later_are_not_measured() -> None:
    class Buffer:
        target = torch.randn(6)

    score, held = nn.Linear(5, 1), Buffer()

    def step(x: torch.Tensor) -> Any:
        return (score(x).squeeze(1) - held.target).pow(2).mean()

    found = certify_step(step, find_rows(torch.randn(6, 5)), seconds=60).of("order")
    assert found is not None
    assert found.reason is not None
    assert (found.standing, found.reason.name) == ("not_measured", "other_rows")


def test_rows_that_are_drawn_are_not_measured() -> None:
    score = nn.Linear(5, 1)

    def step(x: torch.Tensor) -> Any:
        return score(0.7 * x + 0.3 * x[torch.randperm(len(x))]).tanh().pow(2).mean()

    found = certify_step(step, find_rows(torch.randn(6, 5)), seconds=60).of("order")
    assert found is not None
    assert found.reason is not None
    assert (found.standing, found.reason.name) == ("not_measured", "draws")


def test_a_comment_says_that_it_is_meant_so() -> None:
    score = nn.Linear(5, 1)

    def step(x: torch.Tensor) -> Any:
        value = score(x).squeeze(1)
        value = value - value.mean()  # wellshaped: by-design[rows]
        return value.pow(2).mean()

    made = certify_step(step, find_rows(torch.randn(6, 5)), seconds=60)
    found = made.of("rows")
    assert found is not None
    assert (found.standing, found.by_design, made.broken) == ("broken", True, ())


def test_a_report_of_a_step_has_its_relations_by_name() -> None:
    score = nn.Linear(5, 1)
    before = score.weight.detach().clone()

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        (score(x).squeeze(1) - y).pow(2).mean().backward()

    batch = (torch.randn(6, 5), torch.randn(6))
    kept = batch[0].clone()
    report = check(step, batch, (6,))
    assert report.rows_independent
    assert report.order_ignored
    assert report.padding_ignored is None
    assert report.everything_trains
    assert torch.equal(batch[0], kept)
    assert score.weight.grad is None
    assert torch.equal(score.weight, before)
