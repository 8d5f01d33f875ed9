"""The pre-commit hook and the workflows in the documentation are read, and their commands exist."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests import warm
from wellshaped.cli import _parse

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BLOCKS = [yaml.safe_load(each) for each in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)]
BROKEN = """\
import torch
from torch.nn import functional as F
F.mse_loss(torch.zeros(4, 1), torch.zeros(4))
"""


def parsed(command):
    """What our own command line makes of a line of shell, without its redirection."""
    program, *arguments = shlex.split(command.partition(">")[0])
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert program in scripts
    return _parse(arguments)


def steps():
    workflows = [each for each in BLOCKS if "jobs" in each]
    return [step for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]


def test_the_hook_leaves_changed_files_out():
    (hook,) = HOOKS
    assert hook["pass_filenames"] is False, "the second file would be an argument of the first"
    found = parsed(f"{hook['entry']} train.py")
    assert (found.command, found.format, found.program) == ("check", "concise", ["train.py"])


def test_the_hook_of_the_page_exists():
    (config,) = [each for each in BLOCKS if "repos" in each]
    (used,) = config["repos"][0]["hooks"]
    (hook,) = [each for each in HOOKS if each["id"] == used["id"]]
    found = parsed(shlex.join([*shlex.split(hook["entry"]), *used["args"]]))
    assert (found.budget, found.program) == (30, ["train.py", "--epochs", "1"])


def test_the_commands_of_the_workflows_exist():
    runs = [step["run"] for step in steps() if step.get("run", "").startswith("wellshaped")]
    assert [parsed(each).format for each in runs] == ["github", "sarif"]


def test_what_is_uploaded_was_written_before():
    (upload,) = [step for step in steps() if "upload-sarif" in step.get("uses", "")]
    assert any(
        step.get("run", "").endswith(f"> {upload['with']['sarif_file']}") for step in steps()
    )
    assert "cancelled" in upload["if"], "it must be uploaded when there are findings too"


@pytest.mark.slow
def test_the_hook_fails_on_a_fault(tmp_path):
    (tmp_path / "train.py").write_text(BROKEN)
    _, *arguments = shlex.split(HOOKS[0]["entry"])
    ran = warm.run(["-m", "wellshaped", *arguments, "train.py"], cwd=tmp_path, text=True)
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("train.py:3:1: WS301 ")


@pytest.mark.slow
def test_pre_commit_runs_the_hook(tmp_path):
    def run(*command, cwd=tmp_path):
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)

    source = tmp_path / "wellshaped"
    source.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source)
    project = tmp_path / "project"
    project.mkdir()
    (project / "train.py").write_text(BROKEN)
    config = {"id": "wellshaped-check", "args": ["train.py"]}
    for folder in (source, project):
        run("git", "init", "-q", cwd=folder)
        run("git", "add", ".", cwd=folder)
        named = ("-c", "user.name=a", "-c", "user.email=a@b")
        assert run("git", *named, "commit", "-qm", "all", cwd=folder).returncode == 0
    version = run("git", "rev-parse", "HEAD", cwd=source).stdout.strip()
    repository = {"repo": str(source), "rev": version, "hooks": [config]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repository]}))
    run("git", "add", ".", cwd=project)
    found = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    environ = {**os.environ, "PATH": found, "PRE_COMMIT_HOME": str(tmp_path / "cache")}
    ran = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=project, env=environ, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "train.py:3:1: WS301" in ran.stdout
    (project / "train.py").write_text(BROKEN.replace("4, 1", "4"))
    assert subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=project,
        env=environ,
        capture_output=True,
    ).returncode == 0  # fmt: skip
