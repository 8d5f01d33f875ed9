"""Tables of a run: columns that come later, a run that goes on, a line that was cut off."""

import sys
from pathlib import Path

import pytest
from accelerate.utils import LoggerType

from wellshaped.train.artifacts.track import Track, require_trackers
from wellshaped.train.distributed.processes import join

# What accelerate asks of `wandb`, noted down line by line.
STAND_IN = """
def init(*, project, dir):
    note("init", project, dir)
    return Run()

def note(*told):
    with open(NOTES, "a") as file:
        print(*told, file=file)

class Run:
    def log(self, values, step):
        note("log", step, values)

    def finish(self):
        note("finish")
"""


def test_wandb_gets_what_the_tables_get_in_the_folder_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    (tmp_path / "wandb.py").write_text(f"NOTES = {str(notes)!r}\n{STAND_IN}", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "wandb", None)  # what is put there is taken away at the end
    del sys.modules["wandb"]
    monkeypatch.setattr("accelerate.tracking._available_trackers", [LoggerType.WANDB])
    accelerator = join(trackers=require_trackers(("wandb",)), folder=tmp_path)
    track = Track(tmp_path / "log", accelerator=accelerator, run="reward")
    track.write("train", 3, {"loss": 0.5})
    track.end()
    assert notes.read_text().splitlines() == [
        f"init reward {tmp_path / 'log'}",
        "log 3 {'train/loss': 0.5}",
        "finish",
    ]


def test_a_value_without_a_column_gets_one(tmp_path: Path) -> None:
    track = Track(tmp_path)
    track.write("train", 1, {"loss": 0.5})
    track.write("train", 2, {"loss": 0.25, "norm": 3.0})
    track.write("train", 3, {"norm": 2.0})
    assert (tmp_path / "train.csv").read_text() == "step,loss,norm\n1,0.5,\n2,0.25,3.0\n3,,2.0\n"
    loss, norm = track.series("train")
    assert loss.points == ((1.0, 0.5), (2.0, 0.25))
    assert norm.points == ((2.0, 3.0), (3.0, 2.0))


def test_a_run_that_goes_on_takes_back_what_came_after(tmp_path: Path) -> None:
    before = Track(tmp_path)
    for step in range(1, 6):
        before.write("train", step, {"loss": 1.0 / step})
    before.write("evaluation", 4, {"loss": 0.1})
    with (tmp_path / "train.csv").open("a") as file:
        file.write("6,0.1")  # killed in the middle of a line
    track = Track(tmp_path)
    track.cut(3)
    track.write("train", 4, {"loss": 9.0, "norm": 1.0})
    assert (tmp_path / "train.csv").read_text().splitlines()[3:] == [
        "3,0.3333333333333333,",
        "4,9.0,1.0",
    ]
    assert not (tmp_path / "evaluation.csv").exists()
    track.cut(0)
    assert [*tmp_path.iterdir()] == []


def test_curves_of_all_tables_by_name(tmp_path: Path) -> None:
    track = Track(tmp_path)
    track.write("evaluation", 2, {"loss": 0.5, "accuracy": 0.9})
    track.write("train", 1, {"epoch": 0.1, "loss": 0.7})
    panels = {title: [each.name for each in series] for title, series in track.curves().panels}
    assert panels == {"loss": ["train", "evaluation"], "accuracy": ["evaluation"]}
