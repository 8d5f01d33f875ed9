"""Where the kernel knows no Landlock a program is not run, unless that is agreed to and said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import ctypes
import torch
from torch import nn

ctypes.CDLL(None).unlink(b"data.txt")
pred = nn.Linear(4, 1)(torch.zeros(4, 4))
loss = nn.functional.mse_loss(pred, torch.zeros(4))
"""
STEP = """\
import sys, torch, wellshaped
try:
    print(wellshaped.check(torch.sum, torch.zeros(3), [1], **eval(sys.argv[1])))
except ValueError as error:
    print(error)
"""
FORGETS = """\
import runpy, sys
from tests.landlock import forget_landlock
forget_landlock()
sys.argv = sys.argv[1:]
start = runpy.run_path if sys.argv[0].endswith(".py") else runpy.run_module
start(sys.argv[0], run_name="__main__")
"""
NOTE = "Landlock did not confine the program"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the helper is a filter of Linux"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "step.py").write_text(STEP)
    (tmp_path / "data.txt").write_text("mine")
    return tmp_path


def without(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """The command, where there is no Landlock."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path}
    return warm.run(["-c", FORGETS, *command], cwd=folder, env=env, text=True)


@pytest.mark.parametrize("command", ["check", "fix"])
def test_the_program_is_not_run_and_the_option_is_named(folder, command):
    ended = without(folder, "wellshaped", command, "train.py")
    assert ended.returncode == 2
    assert ended.stderr.startswith("error[WS941]: ")
    assert "`--no-kernel-sandbox`" in ended.stderr
    assert (folder / "data.txt").exists()


@pytest.mark.parametrize(("form", "command"), [("sarif", "check"), ("patch", "fix")])
def test_with_the_option_it_is_run_and_the_report_says_so(folder, form, command):
    asked = ["--no-kernel-sandbox", "--format", form, "--report", "page.html"]
    ended = without(folder, "wellshaped", command, *asked, "train.py")
    said = ended.stderr if form == "patch" else ended.stdout
    assert ended.returncode == 1, ended.stderr
    assert "WS941" in said
    assert NOTE in said
    assert NOTE in (folder / "page.html").read_text()


def test_a_step_is_not_run_unless_the_keyword_is_given(folder):
    assert without(folder, "step.py", "{}").stdout.startswith("WS941: Landlock")
    ended = without(folder, "step.py", "{'kernel_sandbox': False}")
    assert f"note[WS941]: {NOTE}" in ended.stdout, ended.stderr
