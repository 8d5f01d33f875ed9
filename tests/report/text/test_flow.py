"""Shape flow as text: in every language, and never wider than the page."""

import io
import warnings
from pathlib import Path

import pytest

from tests.report.pictures import RANKING, SILENT, SQUEEZED, pictured
from wellshaped.locale.catalogue import words
from wellshaped.locale.language import LANGUAGES
from wellshaped.pipeline import texts
from wellshaped.records.flow import Axis, Flow, Lane, Meeting, Stage
from wellshaped.report.text.flow import render
from wellshaped.report.text.width import cells

GOLDEN = Path(__file__).parents[2] / "golden" / "report"
SOURCES = {"ranking": RANKING, "silent": SILENT, "squeezed": SQUEEZED}


@pytest.fixture(scope="module")
def flows():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: pictured(source).flow for name, source in SOURCES.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_golden(lang, flows, rewrite_golden):
    text = "\n".join(render(each, words(lang)) for each in flows.values())
    path = GOLDEN / f"flow.{lang}.txt"
    if rewrite_golden:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    assert max(map(cells, text.splitlines())) <= 80


def test_wide_tensors_and_long_names_stay_within_the_page():
    axes = tuple(Axis(10**size, "B") for size in range(12))
    stage = Stage("view", "x" * 200, axes, "float32")
    lane = Lane("r" * 60, (stage, Stage("", "", None), stage), blamed=True)
    meeting = Meeting(10**9, None, True, (axes, None), (axes, axes))
    text = render(Flow("f" * 70, (lane, lane), 1, (meeting,)), width=80)
    wide = [line for line in text.splitlines() if cells(line) > 80]
    # A tensor is never broken: a line with one that is wider than the page stays as it is.
    assert all("[B 1 |" in line and "xxx" not in line for line in wide)
    assert "..." in text
    assert "shape not known" in text


def test_a_wide_terminal_shows_whole_expressions(flows):
    text = "features(image).squeeze()"
    squeezed = flows["squeezed"]
    assert f"head({text})" in render(squeezed, width=140)
    assert f"head({text})" not in render(squeezed, width=80)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "width"), [(200, 140), (100, 100), (20, 80)])
def test_the_picture_takes_the_room_of_a_terminal(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert texts._width(Terminal()) == width
    assert texts._width(io.StringIO()) == 80


def test_nothing_to_draw():
    assert render(Flow("f", ())) == ""


def test_colour_only_decorates(flows):
    import re

    painted = render(flows["ranking"], color=True)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(flows["ranking"])
