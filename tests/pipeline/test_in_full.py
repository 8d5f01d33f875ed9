"""A failure that only comes of what a dry run leaves out is no fault of the program."""

import pytest

from wellshaped.execute.program import Program
from wellshaped.observe.result import RunResult, Setting
from wellshaped.pipeline import check as checking
from wellshaped.pipeline import sweep as sweeping
from wellshaped.records.source import Place

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
    assert (outcome.own.ended, outcome.report.findings) == ("ended", ())


def test_neither_does_an_own_run_that_takes_long(program, monkeypatch):
    monkeypatch.setattr(checking, "_PATIENCE", 0.0)
    outcome = checking.check(program, batch_sizes=(5,))
    assert (outcome.own.ended, outcome.report.findings) == ("ended", ())


# Every sixth round is counted: a loop that is cut to its first rounds and the last counts none.
COUNTED = """\
import torch

batch = 8
x, y = torch.randn(64, 3), torch.rand(64, 1)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total, counted = 0.0, 0
for n in range(64 // batch):
    loss = torch.nn.functional.mse_loss(model(x[n * batch:][:batch]), y[n * batch:][:batch])
    loss.backward()
    optimizer.step()
    if n and n % 5 == 0:
        total, counted = total + loss.item(), counted + 1
print(total / counted)
"""


def test_a_number_is_not_said_to_fit_nothing_else_because_a_loop_was_cut(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(COUNTED)
    outcome = checking.check(Program(str(path)), batch_sizes=(1, 2))
    assert outcome.report.findings == ()
    assert [note.reason.name for note in outcome.report.not_checked] == []
    assert outcome.met == (1, 2, 8)


# What is left out is long, and what is made of it is wrong without it.
LONG = """\
import time
import torch

model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = []
for n in range(1000):
    model(torch.ones(4, 3)).sum().backward()
    optimizer.step()
    seen.append(torch.tensor(float(n)))
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
print(torch.stack(seen) * torch.ones(1000))
"""


def test_what_a_cut_run_stops_at_is_not_settled_where_the_whole_takes_too_long(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(checking, "_PATIENCE", 0.0)
    path = tmp_path / "train.py"
    path.write_text(LONG)
    outcome = checking.check(Program(str(path)), budget=4.0)
    assert (outcome.report.findings, outcome.failure) == ((), "")
    notes = [(note.code, note.line, note.reason.name) for note in outcome.report.not_checked]
    assert ("WS901", 14, "unsettled_own") in notes


def raised(size, **facts):
    return RunResult(Setting(size), "raised", place=Place("a.py", 3, ""), shortened=True, **facts)


@pytest.mark.parametrize(("how", "kept"), [("late", "late"), ("ended", "ended"), ("died", "died")])
def test_a_cut_run_that_fails_counts_as_it_ends_in_full(monkeypatch, how, kept):
    monkeypatch.setattr(
        sweeping,
        "side_by_side",
        lambda settings, _: [RunResult(each, how) for _, each in settings],
    )
    own, share = RunResult(Setting(), "ended"), sweeping.Share(1.0, 2.0)
    whole = RunResult(Setting(2), "raised", place=Place("a.py", 3, ""))
    found = sweeping._confirmed([raised(1), whole], own, Program("a.py"), share)
    assert [ran.ended for ran in found] == [kept, "raised"]
    assert found[0].unsettled == (how == "late")
    assert found[0].observation is None


def test_one_that_stops_where_the_whole_program_does_needs_no_second_run(monkeypatch):
    monkeypatch.setattr(sweeping, "side_by_side", lambda settings, _: settings)
    own, share = (
        RunResult(Setting(), "raised", place=Place("a.py", 3, "")),
        sweeping.Share(1.0, 2.0),
    )
    runs = [raised(1)]
    assert sweeping._confirmed(runs, own, Program("a.py"), share) == runs
