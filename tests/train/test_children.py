"""Runs that are killed go on to the same bits; two processes train as one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.floats import DEEP, near
from tests.train.children import KILLS
from wellshaped.train.artifacts.track import Track

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def test_runs_that_are_killed_and_pairs_of_processes(tmp_path: Path) -> None:
    place = tmp_path
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    ran = subprocess.run(
        [sys.executable, "-m", "tests.train.children", str(place)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    (place / "told.json").write_text(ran.stdout)
    after_kills_at_any_moment_the_weights_are_the_same_to_the_last_bit(place)
    two_processes_equal_one(place)
    two_processes_keep_and_tell_one_run(place)


def told(folder: Path, name: str):
    return json.loads((folder / "told.json").read_text())[name]


def after_kills_at_any_moment_the_weights_are_the_same_to_the_last_bit(folder: Path) -> None:
    assert told(folder, "kill") == {"killed": [-9] * KILLS, "status": [0, 0]}
    whole, cut = (folder / name / "model.safetensors" for name in ("whole", "cut"))
    assert whole.read_bytes() == cut.read_bytes()
    first, second = (
        {each.name: each.points for each in Track(folder / name / "log").series("train")}
        for name in ("whole", "cut")
    )
    assert first["loss"] == second["loss"], "each step once, with the same loss"
    assert len(first["loss"]) == 72
    assert not [*(folder / "cut" / "checkpoints").glob(".*")], "nothing half written stays"


def two_processes_equal_one(folder: Path) -> None:
    assert told(folder, "pair")["status"] == [0] * 5, (folder / "pair.log").read_text()
    first, second = (load_file(folder / f"{name}.safetensors") for name in ("one", "two"))
    for name in first:
        torch.testing.assert_close(first[name], second[name], **DEEP)
    ones, twos = (
        {each.name: each.points for each in Track(folder / name / "log").series("train")}
        for name in ("one", "two")
    )
    assert [step for step, _ in ones["loss"]] == [step for step, _ in twos["loss"]]
    for (_, left), (_, right) in zip(ones["loss"], twos["loss"], strict=True):
        assert left == near(right, within=DEEP)


def two_processes_keep_and_tell_one_run(folder: Path) -> None:
    text = (folder / "both.log").read_text()
    assert text.count("finished after") == 1, text
    assert (folder / "both" / "model.safetensors").exists()
    assert len([*(folder / "both" / "checkpoints").iterdir()]) <= 3
