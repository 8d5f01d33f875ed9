"""`wellshaped explain` finds the page of every rule."""

import re

import pytest

from wellshaped.cli import main

engine = pytest.importorskip("wellshaped.diagnose.engine")


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
