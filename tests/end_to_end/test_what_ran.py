"""A check says only what ran: exit statuses, a line for each run, batch sizes line by line."""

import json
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests import warm
from wellshaped.cli import main
from wellshaped.execute.program import Program
from wellshaped.pipeline.check import Outcome, check
from wellshaped.records.status import status_of
from wellshaped.report.summary import render

pytestmark = pytest.mark.slow

CLEAN = """
import torch
from torch.utils.data import DataLoader, TensorDataset
model = torch.nn.Linear(5, 1)
for x, y in DataLoader(TensorDataset(torch.randn(10, 5), torch.randn(10, 1)), batch_size=4):
    torch.nn.functional.mse_loss(model(x), y).backward()
"""
# Training stops at one row by design, and evaluation squeezes its row away.
NORMALISED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
train = DataLoader(TensorDataset(torch.randn(40, 5), torch.randn(40)), batch_size=16)
valid = DataLoader(TensorDataset(torch.randn(24, 5), torch.randn(24)), batch_size=12)
model = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
for x, y in train:
    nn.functional.mse_loss(model(x).squeeze(1), y).backward()
model.eval()
for x, y in valid:
    nn.functional.l1_loss(model(x).squeeze(), y)
"""
# Sequences of 23 and 29 steps, the steps first: no batch has 23 rows.
STEPS_FIRST = """
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
rows = [torch.randn(23 if n < 4 else 29, 5) for n in range(8)]
model, loss = torch.nn.LSTM(5, 3), torch.nn.MSELoss()
for x in DataLoader(rows, batch_size=4, collate_fn=pad_sequence):
    out, _ = model(x)
    loss(out[-1], torch.zeros(4, 1)).backward()
"""
# By hand, with the steps first: only the number that is called so sets the batch.
BY_HAND = """
import torch
batch_size = 6
model = torch.nn.GRU(5, 3)
out, _ = model(torch.randn(23, batch_size, 5))
torch.nn.functional.mse_loss(out[-1].sum(1, keepdim=True), torch.zeros(batch_size)).backward()
"""
STOPS_ALONE = CLEAN + "    if len(x) == 1:\n        raise KeyError('one row')\n"


def checked(folder: Path, text: str, **options: object) -> Outcome:
    program = folder / "program.py"
    program.write_text(textwrap.dedent(text))
    return check(Program(str(program)), **options)  # type: ignore[arg-type]


def sizes(outcome: Outcome) -> dict[str, tuple[tuple[int, ...], ...]]:
    return {
        each.diagnosis.finding.code: (each.swept.fails, each.swept.holds, each.swept.not_run)
        for each in outcome.report.findings
    }


def ends(outcome: Outcome) -> list[tuple[int | None, str]]:
    return [(run.batch, run.ended) for run in outcome.report.runs]


def test_a_clean_program_ran_to_its_end_at_every_size(tmp_path: Path) -> None:
    outcome = checked(tmp_path, CLEAN)
    assert ends(outcome) == [(None, "finished"), (1, "finished"), (3, "finished")]
    assert status_of(outcome.report) == 0
    assert render(outcome.report).splitlines()[0] == "its own batch size (2, 4): finished"
    assert render(outcome.report).endswith("no shape mistakes found\n")


@pytest.mark.parametrize(
    ("end", "ended"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "died"),
        pytest.param("import os; os._exit(0)", "died", marks=pytest.mark.nightly),
        ("import ctypes; ctypes.string_at(0)", "died"),
        ("import os; os.abort()", "died"),
        ("while True: pass", "late"),
    ],
    ids=["killed", "exit", "segfault", "aborts", "endless"],
)
def test_a_run_that_does_not_end_is_no_all_clear(tmp_path: Path, end: str, ended: str) -> None:
    outcome = checked(tmp_path, CLEAN + end + "\n", budget=3.0)
    assert (None, ended) in ends(outcome)
    assert status_of(outcome.report) == 3
    assert status_of(outcome.report, allow_incomplete=True) == 0
    assert "no shape mistakes found" not in render(outcome.report)
    # Its loaders were seen before it ended, so other sizes are run as well.
    assert [run.met for run in outcome.report.runs] == [(2, 4), (1,), (3,)]
    assert "WS904" not in [each.code for each in outcome.report.not_checked]


def test_what_comes_after_an_abrupt_end_is_not_said_to_be_missing(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "import os\nos._exit(0)\n" + CLEAN)
    (note,) = (each for each in outcome.report.not_checked if each.code == "WS904")
    assert note.reason.name == "no_loader_yet"


def test_a_size_that_stops_early_makes_the_check_incomplete(tmp_path: Path) -> None:
    outcome = checked(tmp_path, STOPS_ALONE)
    assert (1, "stopped") in ends(outcome)
    assert status_of(outcome.report) == 3
    line = render(outcome.report).splitlines()[1]
    assert line.startswith("batch size 1: stopped: ")
    assert line.endswith("program.py:8: KeyError: 'one row' (WS903)")


def test_a_program_that_raises_by_itself_could_not_be_run(tmp_path: Path) -> None:
    assert status_of(checked(tmp_path, CLEAN + "raise KeyError('own')\n").report) == 2
    assert status_of(checked(tmp_path, "raise SystemExit(2)\n").report) == 2


def test_one_row_passes_batch_normalisation_so_that_evaluation_is_seen(tmp_path: Path) -> None:
    outcome = checked(tmp_path, NORMALISED)
    assert (1, "finished") in ends(outcome)
    # 16 and 8 are the rows of training: the line in evaluation never has them.
    assert sizes(outcome) == {"WS401": ((1,), (2, 3, 12), ())}
    passed = [place.line for run in outcome.report.runs for place in run.passed_over]
    assert passed == [9]
    assert "program.py:9, which needs more than one row" in render(outcome.report)


def test_one_row_is_still_refused_where_the_program_meets_it(tmp_path: Path) -> None:
    outcome = checked(tmp_path, NORMALISED.replace("randn(40", "randn(33"))
    assert "WS403" in sizes(outcome)
    assert ends(outcome)[0] == (None, "failed")


def test_a_sequence_length_is_no_batch_size(tmp_path: Path) -> None:
    outcome = checked(tmp_path, STEPS_FIRST)
    assert sizes(outcome)["WS301"][0] == (1, 4)
    assert outcome.report.runs[0].met == (4,)
    fails, holds, _ = sizes(checked(tmp_path, BY_HAND))["WS301"]
    assert 23 not in (*fails, *holds)
    assert 6 in fails


def test_a_line_that_a_run_never_reached_is_not_run_there(tmp_path: Path) -> None:
    text = CLEAN + "    if len(x) == 3:\n        raise KeyError('three')\n"
    text += "    torch.nn.functional.mse_loss(model(x).squeeze(), y[:, 0])\n"
    assert sizes(checked(tmp_path, text)) == {"WS401": ((1,), (2, 4), (3,))}


def command(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    return warm.run(["-m", "wellshaped", *given], cwd=folder, text=True)


def test_every_format_and_command_has_the_same_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = checked(tmp_path, STOPS_ALONE)
    # Every format tells the same report: it is made once.
    monkeypatch.setattr("wellshaped.pipeline.check.check", lambda *_, **__: outcome)
    monkeypatch.chdir(tmp_path)
    found = {}
    for form in ("text", "json", "sarif", "github", "concise"):
        assert main(["check", "--format", form, "program.py"]) == 3
        found[form] = capsys.readouterr().out
    assert json.loads(found["json"])["status"] == 3
    assert json.loads(found["json"])["complete"] is False
    (run,) = json.loads(found["sarif"])["runs"]
    assert run["invocations"][0]["exitCode"] == 3
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "::warning" in found["github"]
    assert "incomplete" in found["concise"]
    assert main(["check", "--allow-incomplete", "program.py"]) == 0
    assert command(tmp_path, "check", "program.py").returncode == 3
    fixed = command(tmp_path, "fix", "program.py")
    assert fixed.returncode == 3
    assert "nothing to repair" not in fixed.stdout
