"""A failure that only comes of what a dry run leaves out is no fault of the program."""

import pytest

from wellshaped.observe.program import Program
from wellshaped.pipeline import check as checking

pytestmark = pytest.mark.slow

# The predictions of all batches are compared with all labels: the loader must give every row.
WHOLE_SET = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

x, y = torch.randn(40, 3), torch.rand(40)
model = torch.nn.Linear(3, 1)
guesses = []
for rows, _ in DataLoader(TensorDataset(x, y), batch_size=8):
    guesses.append(model(rows).squeeze(1))
print((torch.cat(guesses) - y).abs().mean())
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(WHOLE_SET)
    return Program(str(path))


def test_a_sweep_does_not_blame_the_batches_it_left_out(program):
    outcome = checking.check(program, batch_sizes=(1, 3))
    assert (outcome.own.how, outcome.report.findings) == ("ended", ())


def test_neither_does_an_own_run_that_takes_long(program, monkeypatch):
    monkeypatch.setattr(checking, "_PATIENCE", 0.0)
    outcome = checking.check(program, batch_sizes=(5,))
    assert (outcome.own.how, outcome.report.findings) == ("ended", ())
