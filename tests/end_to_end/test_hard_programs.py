"""Programs that are hard on whoever watches them: their own outcome stands, and we stay sane."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import wellshaped
from tests import warm
from tests.cli.side_by_side import write
from wellshaped.execute.program import Program
from wellshaped.pipeline.check import check
from wellshaped.pipeline.explain import explain_text
from wellshaped.pipeline.texts import check_text

pytestmark = pytest.mark.slow

WRONG = "F.mse_loss(torch.zeros(8, 1), torch.zeros(8, 2, 3))"
SILENT = "F.poisson_nll_loss(torch.zeros(8, 1), torch.zeros(8))"
HEAD = "import os, sys\nimport torch\nimport torch.nn.functional as F\n"


def told_by_check(file: Path) -> str:
    """What a check says of a program, in the fork of this process that it runs in."""
    outcome = check(Program(str(file)), budget=60)
    return outcome.failure or check_text(outcome.report, sys.stdout)


def cold(arguments: list[str], cwd: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, timeout=120)


# Each: the program, its exit status, what `run` says, and what `check` says.
PROGRAMS = {
    "deletes its own file": (
        f"{HEAD}os.remove(__file__)\n{WRONG}\n",
        1,
        "",
        "error[WS2",
    ),
    "deletes its folder": (
        f"{HEAD}import shutil\nshutil.rmtree(os.path.dirname(__file__))\n{WRONG}\n",
        1,
        "",
        "error[WS2",
    ),
    "forks": (
        f"{HEAD}pid = os.fork()\nif not pid:\n    {SILENT}\n    os._exit(3)\n"
        f"os.waitpid(pid, 0)\n{WRONG}\n",
        1,
        "error[WS2",
        "error[WS2",
    ),
    "broadcasts in a child": (
        f"{HEAD}pid = os.fork()\nif not pid:\n    {SILENT}\n    os._exit(3)\nos.waitpid(pid, 0)\n",
        0,
        "",
        "error[WS301]",
    ),
    "leaves by os._exit": (f"{HEAD}{SILENT}\nos._exit(5)\n", 5, "", "WS902"),
    "recurses": (
        f"{HEAD}def down(n):\n    {SILENT}\n    return down(n + 1)\ndown(0)\n",
        1,
        "error[WS301]",
        "error[WS301]",
    ),
    "fails in the depth": (
        f"{HEAD}def down(n):\n    return down(n - 1) if n else {WRONG}\ndown(700)\n",
        1,
        "error[WS2",
        "error[WS2",
    ),
    "closes its streams": (f"{HEAD}os.close(1)\nos.close(2)\n{SILENT}\n", 0, "", "error[WS301]"),
    "is written in latin-1": (
        f"# coding: latin-1\n{HEAD}größe = torch.zeros(8)\n"
        "F.poisson_nll_loss(torch.zeros(8, 1), größe)\n",
        0,
        "`größe`",
        "größe",
    ),
}


@pytest.mark.parametrize("name", [each for each in PROGRAMS if "own file" not in each])
def test_its_own_outcome_stands(tmp_path, name):
    program, status, told, _ = PROGRAMS[name]
    data = program.encode("latin-1" if "latin" in name else "utf-8")
    # How deep a program can go depends on where it begins.
    start = cold if name == "recurses" else warm.run
    results = []
    for folder in (tmp_path / "plain", tmp_path / "ours"):
        write(folder, {"train.py": data})
        launcher = () if folder.name == "plain" else ("-m", "wellshaped", "run")
        results.append(start(["-W", "ignore", *launcher, "train.py"], cwd=folder))
    plain, ours = results
    assert (plain.returncode, ours.returncode) == (status, status), ours.stderr
    assert ours.stdout == plain.stdout
    said = ours.stderr.decode()
    before, after = (each.stderr.decode().replace("/ours/", "/plain/") for each in results)
    assert after.startswith(before), after
    assert told in said.removeprefix(before)
    assert "internal error" not in said
    assert said.count("error[WS") <= 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_check_of_it_ends_and_changes_nothing(tmp_path, name):
    program, _, _, told = PROGRAMS[name]
    data = program.encode("latin-1" if "latin" in name else "utf-8")
    write(tmp_path, {"train.py": data, "beside.txt": "kept"})
    assert told in told_by_check(tmp_path / "train.py")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {
        "train.py": data,
        "beside.txt": b"kept",
    }


def test_thousands_of_hazards_are_told_once(tmp_path):
    write(tmp_path, {"train.py": f"{HEAD}for _ in range(4000):\n    {SILENT}\n"})
    plain, ours = (
        warm.run(["-W", "ignore", *launcher, "train.py"], cwd=tmp_path, text=True)
        for launcher in ((), ("-m", "wellshaped", "run"))
    )
    assert ours.stdout == plain.stdout
    assert ours.stderr.count("error[WS301]") == 1
    assert "4000 times" in ours.stderr


def test_ten_thousand_lines(tmp_path):
    lines = [f"def f_{n}(x):\n    return x + {n} * {n}\n" for n in range(5000)]
    source = HEAD + "".join(lines) + f"for _ in range(3):\n    {SILENT}\nf_7(1)\n"
    write(tmp_path, {"train.py": source})
    assert f"train.py:{source.count(chr(10)) - 1}" in told_by_check(tmp_path / "train.py")


def test_a_traceback_of_200_kilobytes():
    frame = '  File "/home/me/model.py", line {}, in forward\n    return self.inner(x, {})\n'
    text = "Traceback (most recent call last):\n"
    text += "".join(frame.format(n, "a" * 60) for n in range(1500))
    text += "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)\n"
    assert len(text) > 200_000
    found = explain_text(text)
    assert found.codes == ("WS211", "WS111")
    assert len(found.text()) < 5000


def test_a_message_of_200_kilobytes():
    found = explain_text(f"RuntimeError: {'shape ' * 40_000}")
    assert not found
    assert len(found.text()) < 5000


def test_a_step_that_ends_its_process_is_incomplete():
    report = wellshaped.check(lambda x: os._exit(3), torch.zeros(4, 2))
    assert not report
    assert not report.complete
    assert "WS902" in str(report)
