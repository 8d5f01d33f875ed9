"""`wellshaped explain` finds the page of every rule."""

import re
import subprocess
import sys

import pytest

from tests import warm
from wellshaped.cli import main
from wellshaped.diagnose import engine


def test_lists_every_rule_in_one_line(capsys):
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(engine.index()) > 0
    for line, (code, name, headline) in zip(lines, engine.index(), strict=True):
        assert re.match(rf"{code}  {name} *  {re.escape(headline.split('. ')[0])}", line)


def test_prints_the_page_of_a_rule(capsys):
    code = engine.index()[0][0]
    for asked in (code, code.lower()):
        assert main(["explain", asked]) == 0
        out = capsys.readouterr().out
        assert out.split() == engine.page(code).split()
        assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("    "))


@pytest.mark.parametrize("asked", ["WS000", "101", ""])
def test_unknown_code(capsys, asked):
    assert main(["explain", asked]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"error[WS931]: no rule has the code `{asked}`; see `wellshaped explain`\n"


INNER = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)"


def test_explains_the_text_of_an_error(capsys):
    assert main(["explain", INNER]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("error: two factors cannot be multiplied, (4, 9) and (8, 5)\n")
    assert "WS211" in out
    assert err == ""


@pytest.mark.parametrize("given", [["explain", "-"], ["explain"]])
def test_explains_a_traceback_on_stdin(given):
    text = f'Traceback (most recent call last):\n  File "a.py", line 3\n    f(x)\n{INNER}\n'
    ran = warm.run(["-m", "wellshaped", *given], input=text, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "a.py:3" in ran.stdout
    assert "f(x)" in ran.stdout


@pytest.mark.parametrize("nothing", [{"stdin": subprocess.DEVNULL}, {"input": ""}])
def test_nothing_on_stdin_lists_the_rules(nothing):
    command = [sys.executable, "-m", "wellshaped", "explain"]
    ran = subprocess.run(command, **nothing, capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) == len(engine.index())


def test_unknown_text(capsys):
    assert main(["explain", "hello world"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("note[WS960]: ")
