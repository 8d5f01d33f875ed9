"""Terminal: the documents look as the style guide shows them."""

import io
import re
from pathlib import Path

import pytest

from tests.report.samples import COLUMN, RANK, SILENT
from wellshaped.report.document import (
    Document,
    Excerpt,
    Paragraph,
    Section,
    SuggestedEdit,
    TableRow,
)
from wellshaped.report.text.terminal import render, should_color, should_link

GOLDEN = Path(__file__).parents[2] / "golden" / "report"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def body(*groups: tuple[Section, ...], width: int = 80) -> str:
    """What is printed below the headline."""
    return render(Document("note", "WS901", "h", groups=groups), width=width).partition("\n\n")[2]


@pytest.mark.parametrize("document", [RANK, COLUMN, SILENT], ids=lambda sample: sample.code)
def test_sample_of_the_style_guide(document, rewrite_golden):
    path = GOLDEN / f"{document.code}.txt"
    if rewrite_golden:
        path.write_text(render(document), encoding="utf-8")
    assert render(document) == path.read_text(encoding="utf-8")


def test_long_headline_continues_under_itself():
    words = "`cross_entropy` got " + "one more word " * 6
    assert render(Document("error", "WS101", words)) == (
        "error[WS101]: `cross_entropy` got one more word one more word one more word\n"
        "              one more word one more word one more word\n"
    )


def test_columns_that_do_not_fit_make_a_further_table():
    rows = (
        TableRow("needs", ("input (*S)", "target (*S)", "one shape")),
        TableRow("got", ("(64, 1)", "(64,)")),
    )
    assert body(rows, width=40) == (
        "  needs     input (*S)    target (*S)\n"
        "  got       (64, 1)       (64,)\n"
        "  needs     one shape\n"
    )


def test_cell_wider_than_the_page_is_wrapped():
    assert body((TableRow("needs", ("one shape for both of its inputs",)),), width=40) == (
        "  needs     one shape for both of its\n            inputs\n"
    )


def test_long_labels_move_the_text_of_the_whole_document():
    groups = ((Paragraph("por qué", "a"),), (Paragraph("verificado", "b"), Paragraph("損失", "c")))
    assert body(*groups) == ("  por qué     a\n\n  verificado  b\n  損失        c\n")


def test_label_is_printed_once_for_paragraphs_that_share_it():
    first, second = Paragraph("not this", "a"), Paragraph("not this", "b")
    assert body((first, second), (first,)) == ("  not this  a\n            b\n\n  not this  a\n")


def test_empty_parts_vanish():
    empty = (Paragraph("why", " "), TableRow("got", ()), TableRow("needs", ("", "")))
    assert render(Document("note", "", "h", groups=(empty, ()))) == "note: h\n"


def test_change_elsewhere_names_its_place():
    change = SuggestedEdit("drop an axis", "choice", (("+", "x = y"), (" ", "\tz")), "losses.py:14")
    assert body((change,), width=50) == (
        "  fix       drop an axis                [choice]\n"
        "            losses.py:14\n"
        "            + x = y\n"
        "                  z\n"
    )


def test_long_change_is_complete():
    change = SuggestedEdit(
        "drop the last axis of `pred`",
        "safe",
        (("-", "loss = f(prediction, target)\n"), ("+", "loss = f(a)")),
    )
    assert body((change,), width=40) == (
        "  fix       drop the last axis  [safe]\n"
        "            of `pred`\n"
        "            - loss = f(prediction,\n"
        "                  target)\n"
        "            + loss = f(a)\n"
    )


def test_colour_and_links_only_decorate():
    painted = render(SILENT, color=True, links=True)
    address = re.search(r"\x1b]8;;(file://[^\x1b]*fit\.py#23)\x1b\\", painted)
    assert address is not None
    assert "\x1b[1;31merror[WS301]: \x1b[0m" in painted
    assert "\x1b]8;;file" not in render(SILENT, color=True)
    assert "\x1b[" not in render(SILENT, links=True)


@pytest.mark.parametrize("file", ["<ipython-input-3>", "", "\ud800.py"])
def test_code_without_a_file_has_no_link(file):
    excerpt = Excerpt(file, 3)
    assert "\x1b" not in render(Document("note", "WS901", "h", (excerpt,)), links=True)


def test_lost_working_directory_costs_only_the_link(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "\x1b" not in render(SILENT, links=True)


@pytest.mark.parametrize(
    ("stream", "environ", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_colour_follows_the_environment(stream, environ, expected):
    assert should_color(stream, environ=environ) is expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"WT_SESSION": "1"}, True),
        ({"VTE_VERSION": "7600"}, True),
        ({"VTE_VERSION": "4999"}, False),
        ({"VTE_VERSION": "new"}, False),
        ({"VTE_VERSION": "7600", "TMUX": "/tmp/tmux"}, False),
        ({"TERM": "xterm-kitty", "SSH_CONNECTION": "1"}, False),
        ({"TERM": "dumb", "TERM_PROGRAM": "vscode"}, False),
    ],
)
def test_links_only_where_they_are_known_to_work(environ, expected):
    assert should_link(Terminal(), environ=environ) is expected
    assert not should_link(io.StringIO(), environ=environ)
