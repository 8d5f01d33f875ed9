"""What the command says of itself and of a command line it cannot carry out."""

import re
import subprocess
import sys

import pytest

from wellshaped import __version__
from wellshaped.cli import main


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "WS932"),
        (["frobnicate"], "WS932"),
        (["--frobnicate"], "WS932"),
        (["run"], "WS932"),
        (["run", "--lang"], "WS932"),
        (["run", "--lang", "es"], "WS932"),
        (["run", "--lr", "x.py"], "WS932"),
        (["run", "-m"], "WS932"),
        (["run", "no/such.py"], "WS930"),
        (["run", "no/such.py", "--help"], "WS930"),
        (["explain", "WS101", "more"], "WS932"),
        (["check", "--budget", "-1", "no/such.py"], "WS932"),
        (["check", "no/such.py", "--budget=nan"], "WS932"),
        (["fix", "--budget", "0", "no/such.py"], "WS932"),
        (["fix", "--budget", "soon", "no/such.py"], "WS932"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_bad_usage_is_one_line(capsys, arguments, code):
    before = [*sys.argv], [*sys.path], [*sys.meta_path]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"error\[{code}\]: [^\n]+\n", err)
    assert ([*sys.argv], [*sys.path], [*sys.meta_path]) == before


def test_program_that_cannot_be_read(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "train.py"]) == 2
    assert capsys.readouterr().err == (
        "error[WS930]: cannot open the program `train.py`: no such file or directory\n"
    )


def test_version_and_help(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"wellshaped {__version__}\n"
    assert main(["run", "--help"]) == 0
    usage = "[--lang L] (script.py | notebook.ipynb | -m module) [argument ...]"
    assert usage in capsys.readouterr().out


def test_help_does_not_load_torch():
    code = "import sys; from wellshaped.cli import main; main(['--help'])\nprint(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "run a program" in out
    assert not {"torch", "numpy", "wellshaped.pipeline"} & {*out.split()}
