"""Any document: within the width, free of control characters, the same without colour."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from wellshaped.report.document import (
    Document,
    Excerpt,
    Mark,
    Paragraph,
    SourceLine,
    SuggestedEdit,
    TableRow,
)
from wellshaped.report.text.terminal import render
from wellshaped.report.text.width import cells

ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")
FRAGMENTS = ["損失", "`a b`", "(64, 1)", "x = 1", "é", "\t", "\x1b[1m", "\u202e", "�", "\n", "、"]

words = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40)
texts = st.builds(str.join, st.sampled_from(("", " ")), words)
marks = st.builds(Mark, st.integers(0, 120), st.integers(0, 120), texts, st.booleans())
lines = st.builds(SourceLine, st.integers(1, 9999), texts, st.lists(marks, max_size=5).map(tuple))
excerpts = st.builds(
    Excerpt,
    texts,
    st.integers(1, 9999),
    st.just(0),
    texts,
    texts,
    st.lists(lines, max_size=2).map(tuple),
)
edits = st.tuples(st.sampled_from(("-", "+", " ")), texts)
sections = (
    st.builds(TableRow, texts, st.lists(texts, max_size=4).map(tuple))
    | st.builds(Paragraph, texts, texts)
    | st.builds(SuggestedEdit, texts, texts, st.lists(edits, max_size=2).map(tuple), texts, texts)
)
documents = st.builds(
    Document,
    st.sampled_from(("error", "warning", "note")),
    st.just("WS101"),
    texts,
    st.lists(excerpts, max_size=2).map(tuple),
    st.lists(st.lists(sections, max_size=3).map(tuple), max_size=2).map(tuple),
)
few = settings(max_examples=40, derandomize=True, deadline=None, database=None)


@few
@given(documents, st.integers(40, 90))
def test_no_line_is_wider_than_the_width(document, width):
    for line in render(document, width=width).split("\n"):
        assert cells(line) <= width, repr(line)
        assert ESCAPES.search(line) is None
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", line)


@few
@given(documents, st.booleans())
def test_without_escapes_colour_is_plain_text(document, links):
    assert ESCAPES.sub("", render(document, color=True, links=links)) == render(document)
