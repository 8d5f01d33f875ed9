"""Cells: how wide text is, and what of it may reach a terminal."""

import pytest

from wellshaped.report.text.width import cells, chop, cut_start, glyphs, truncated, visible


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("loss", 4),
        ("損失", 4),
        ("ﾛｽ", 2),
        ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2),
        ("(64, 1)…", 8),
    ],
)
def test_width_is_counted_in_cells(text, width):
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\r\nb\x07\x00\x7f", r"a\r\nb\x07\x00\x7f"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202eevil\u2066\u200b", r"\u202eevil\u2066\u200b"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\udc80.py", r"\udc80.py"),
        ("損失\u3000é", "損失\u3000é"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text, shown):
    assert visible(text) == shown


def test_tabs_reach_the_next_stop():
    assert glyphs("\ta\t損\tb") == ["    ", "a", "   ", "損", "  ", "b"]


def test_cutting_never_splits_a_wide_character():
    assert truncated("損失関数", width=8) == "損失関数"
    assert truncated("損失関数", width=6) == "損失…"
    assert cut_start("損失関数", width=6) == "…関数"
    assert chop("損失関数", width=5) == ["損失", "関数"]
