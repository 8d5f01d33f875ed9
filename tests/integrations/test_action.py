"""The GitHub action: its file is whole, and its steps do what they say in a real shell."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, CHECK = ACTION["runs"]["steps"]
PROGRAM = """\
import sys
import torch

batch = int(sys.argv[sys.argv.index("--batch") + 1])
print(sys.argv[1], torch.nn.functional.mse_loss(torch.zeros(batch, 1), torch.zeros(batch)))
"""


def run(step: dict[str, Any], folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step as the runner starts it: inputs in the environment, `bash -e -o pipefail`."""
    assert step["shell"] == "bash"
    given = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | inputs
    values = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], text)
        for name, text in step.get("env", {}).items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **values, "PATH": path, "GITHUB_ACTION_PATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
    )


def test_the_file_is_that_of_a_composite_action():
    assert {"name", "description", "inputs", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for name, each in ACTION["inputs"].items():
        assert each["description"].endswith("."), name
        assert ("default" in each) != bool(each.get("required")), name


def test_no_input_stands_in_the_text_of_a_script():
    assert not any("${{" in step["run"] for step in (INSTALL, CHECK))
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(ACTION["runs"])))
    assert used == set(ACTION["inputs"])


def test_the_first_step_installs_the_action_itself(tmp_path):
    # The real pip, told to go no further than saying what it would install.
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@" --help\n')
    (tmp_path / "python").chmod(0o755)
    step = {**INSTALL, "run": f'export PATH="{tmp_path}:$PATH"\n{INSTALL["run"]}'}
    assert "pip install [options]" in run(step, tmp_path).stdout
    assert INSTALL["run"].split()[-1] == '"$GITHUB_ACTION_PATH"'


@pytest.mark.slow
def test_the_second_annotates_the_line(tmp_path):
    (tmp_path / "my train.py").write_text(PROGRAM)
    ran = run(
        CHECK,
        tmp_path,
        program="my train.py",
        arguments="a $(touch injected) name\n--batch\n6\n",
        options="--budget\n50\n",
    )
    assert ran.returncode == 1, ran.stderr
    assert "::error file=my train.py,line=5" in ran.stdout
    assert "WS301" in ran.stdout
    assert not (tmp_path / "injected").exists()


@pytest.mark.slow
def test_or_writes_sarif(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM.replace("(batch, 1)", "(batch,)"))
    given = {"program": "train.py", "arguments": "x\n--batch\n6", "sarif-file": "out.sarif"}
    ran = run(CHECK, tmp_path, **given)
    assert ran.returncode == 0, ran.stderr
    log = json.loads((tmp_path / "out.sarif").read_text())
    assert log["runs"][0]["results"] == []
