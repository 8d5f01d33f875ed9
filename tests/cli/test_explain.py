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
        assert re.fullmatch(rf"{code}  {name} *  {re.escape(headline)}", line)


def test_prints_the_page_of_a_rule(capsys):
    code = engine.index()[0][0]
    for asked in (code, code.lower()):
        assert main(["explain", asked]) == 0
        assert capsys.readouterr().out == engine.page(code).rstrip("\n") + "\n"


@pytest.mark.parametrize("asked", ["WS000", "101", ""])
def test_unknown_code(capsys, asked):
    assert main(["explain", asked]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"error[WS931]: no rule has the code `{asked}`; see `wellshaped explain`\n"
