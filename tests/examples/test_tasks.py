"""An example for each task learns and is clean; its broken twin is repaired, and learns then."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from tests.repeated import few
from wellshaped.cli import main
from wellshaped.execute.program import Program
from wellshaped.nn.table import TABLE
from wellshaped.pipeline.check import check

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "examples" / "tasks"
TASKS = sorted({row.name for row in TABLE})
# What `fix` puts in the place of the classic mistake.
REPAIRS = {
    "binary": "criterion(scores, label.unsqueeze(1))",
    "multiclass": "criterion(head(states.mean(1)), label.squeeze(1))",
    "multilabel": "criterion(logits, label.float())",
    "regression": "criterion(found, mean.unsqueeze(1))",
    "tagging": "criterion(logits.transpose(1, 2), tags)",
    "seq2seq": "criterion(logits.transpose(1, 2), answer[:, 1:])",
    "reward": "criterion(chosen, rejected, torch.ones(len(better)).unsqueeze(1))",
}


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """The programs are forked from here, and children have no threads."""


def losses(program, capsys):
    """What a program prints as its loss, epoch by epoch."""
    runpy.run_path(str(program), run_name="__main__")
    return [float(loss) for loss in re.findall(r"loss (\d+\.\d+)", capsys.readouterr().out)]


def test_every_task_has_both_programs():
    for folder in (FOLDER, FOLDER / "broken"):
        assert sorted(path.stem for path in folder.glob("*.py")) == TASKS


@pytest.mark.parametrize("task", TASKS)
def test_an_example_is_short_and_learns(task, capsys):
    program = FOLDER / f"{task}.py"
    assert len(program.read_text().splitlines()) < 60
    first, *_, last = losses(program, capsys)
    assert last < first / 2


@pytest.mark.parametrize("task", few(TASKS, "multiclass", "reward"))
def test_an_example_is_clean(task):
    outcome = check(Program(str(FOLDER / f"{task}.py")), budget=240)
    assert (outcome.own.ended, outcome.failure) == ("ended", "")
    assert (outcome.report.findings, outcome.report.not_checked) == ((), ())


@pytest.mark.parametrize("task", few(TASKS, "multiclass", "reward"))
def test_the_broken_twin_is_repaired_and_learns(task, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copy(FOLDER / "broken" / f"{task}.py", "train.py")
    before = Path("train.py").read_text()
    # One of them runs, with a warning, which is an error here.
    with pytest.raises((ValueError, RuntimeError, UserWarning)):
        runpy.run_path("train.py", run_name="__main__")
    assert main(["fix", "--apply", "--unsafe", "--pick", "best", "train.py"]) == 0
    assert capsys.readouterr().out.endswith("\n1 fix written to train.py\n")
    changed = set(Path("train.py").read_text().splitlines()) - set(before.splitlines())
    assert [line.strip() for line in changed] == [f"loss = {REPAIRS[task]}"]
    first, *_, last = losses("train.py", capsys)
    assert last < first / 2
