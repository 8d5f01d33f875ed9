"""What is committed is source: no environment, as folder or as link, which a checkout would put
in the place of the real one."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_no_environment_is_tracked():
    if git("rev-parse", "--is-inside-work-tree").returncode:
        pytest.skip("not a git checkout")
    assert git("ls-files", ".venv").stdout == ""
    assert git("check-ignore", "--no-index", ".venv").returncode == 0
