"""What is wrong with a program before it runs is said before anything heavy is loaded."""

import subprocess
import sys

import pytest

from tests.cli.side_by_side import same, write
from wellshaped.cli import main

BROKEN = "import torch\nx = [1,\n"


def said(folder, monkeypatch, capsys, *arguments: str) -> str:
    """What the command writes to its standard error, where it ends with 2."""
    monkeypatch.chdir(folder)
    assert main([*arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return str(shown.err)


@pytest.mark.parametrize("command", ["check", "fix"])
def test_syntax_error_is_shown_as_python_shows_it(tmp_path, monkeypatch, capsys, command):
    write(tmp_path, {"train.py": BROKEN})
    first, *rest = said(tmp_path, monkeypatch, capsys, command, "train.py").splitlines()
    assert first.startswith("error[WS938]: the program could not be parsed: SyntaxError: ")
    assert first.endswith("(train.py:2:5)")
    assert rest == ['  File "train.py", line 2', "    x = [1,", "        ^"]


def test_name_of_a_broken_program_stays_on_its_line(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"tr\x1b[31m\nain.py": BROKEN})
    first, second, *_ = said(
        tmp_path, monkeypatch, capsys, "check", "tr\x1b[31m\nain.py"
    ).splitlines()
    assert first.endswith("(tr\\x1b[31m\\nain.py:2:5)")
    assert second == '  File "tr\\x1b[31m\\nain.py", line 2'


@pytest.mark.parametrize("command", ["check", "fix"])
def test_where_nothing_can_be_forked_nothing_is_run(tmp_path, monkeypatch, capsys, command):
    """As on Windows, where modules of the sandbox cannot even be imported."""
    write(tmp_path, {"train.py": "print('run')"})
    monkeypatch.delattr("os.fork")
    text = said(tmp_path, monkeypatch, capsys, command, "train.py")
    assert text.startswith("error[WS941]: a dry run needs Linux or macOS")


def test_syntax_error_of_a_module_and_of_bytes(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"pkg/__init__.py": "", "pkg/train.py": BROKEN, "latin.py": b"x = '\xe9'"})
    write(tmp_path, {"null.py": b"x = 1\0", "warns.py": "x = '\\d' is 1\ny = ("})
    assert "pkg/train.py:2:5)" in said(tmp_path, monkeypatch, capsys, "check", "-m", "pkg.train")
    assert "Non-UTF-8 code" in said(tmp_path, monkeypatch, capsys, "check", "latin.py")
    assert "null" in said(tmp_path, monkeypatch, capsys, "check", "null.py")
    assert "Warning" not in said(tmp_path, monkeypatch, capsys, "check", "warns.py")


def test_run_shows_a_syntax_error_as_python_does(tmp_path):
    write(tmp_path, {"train.py": BROKEN})
    assert same(tmp_path, "train.py").status == 1


def test_folder_is_no_program_and_its_scripts_are_named(tmp_path, monkeypatch, capsys):
    main_line = 'if __name__ == "__main__":\n    main()\n'
    write(tmp_path, {"net.py": "class Net: ...", "eval.py": main_line})
    write(tmp_path, {"src/train.py": f"loss.backward()\n{main_line}", "empty/a.txt": ""})
    err = said(tmp_path, monkeypatch, capsys, "check", ".")
    assert err.startswith("error[WS937]: `.` is a folder without `__main__.py`")
    assert err.endswith(": `src/train.py`, `eval.py`\n")
    assert said(tmp_path, monkeypatch, capsys, "fix", "empty").endswith("name a script in it\n")


TORCHLESS = [
    ["check", "missing.py"],
    ["check", "broken.py"],
    ["fix", "broken.py"],
    ["run", "broken.py"],
    ["check", "."],
    ["check", "--frobnicate", "good.py"],
    ["check", "good.py", "--format", "yaml"],
    ["check", "good.py", "--batch-sizes", "0"],
    ["check", "good.py", "--show", "flow", "--format", "json"],
    ["fix", "good.py", "--broadcasts"],
    ["explain", "WS101"],
    ["explain", "mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)"],
    ["--version"],
    ["train", "reward", "--help"],
]


@pytest.mark.parametrize("arguments", TORCHLESS, ids=" ".join)
def test_nothing_heavy_is_loaded(tmp_path, arguments):
    write(tmp_path, {"broken.py": BROKEN, "good.py": "1 / 0"})
    code = (
        "import sys; from wellshaped.cli import main\n"
        "status = main(sys.argv[1:])\nprint('torch' in sys.modules, status)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = {"explain": 0, "--version": 0, "train": 0, "run": 1}.get(arguments[0], 2)
    assert done.stdout.splitlines()[-1] == f"False {expected}"
    assert ("Traceback" in done.stderr) is False
