"""HTML stands on its own, escapes what it is given, and says what the terminal says."""

import re
from html.parser import HTMLParser

import pytest

from tests.report import samples
from wellshaped.report.document import (
    Document,
    Excerpt,
    Mark,
    Paragraph,
    SourceLine,
    SuggestedEdit,
    TableRow,
)
from wellshaped.report.html import render

NASTY = "<script>alert('x')</script> & \"y\" </pre></div>"
DOCUMENTS = [value for value in vars(samples).values() if isinstance(value, Document)]


class Reader(HTMLParser):
    """The tags of a page, balanced, and its text."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def nasty():
    line = SourceLine(3, NASTY, (Mark(0, 8, NASTY, primary=True),))
    return Document(
        "error",
        "WS101",
        f"`{NASTY}` {NASTY}",
        (Excerpt(NASTY, 3, 0, NASTY, NASTY, (line,)),),
        (
            (TableRow(NASTY, (NASTY, NASTY)),),
            (Paragraph(NASTY, NASTY),),
            (SuggestedEdit(NASTY, NASTY, (("-", NASTY), ("+", NASTY)), NASTY),),
        ),
    )


def test_everything_is_escaped():
    page = render((nasty(),))
    assert "<script" not in page
    found = read(page)
    assert found.tags <= {
        "style",
        "div",
        "strong",
        "span",
        "pre",
        "table",
        "tr",
        "th",
        "td",
        "code",
    }
    assert found.text.count(NASTY) >= 9


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: each.code)
def test_says_all_that_the_document_has(document):
    text = read(render((document,))).text
    assert document.code in text
    parts = [document.headline]
    parts += [
        each.text for group in document.groups for each in group if isinstance(each, Paragraph)
    ]
    for part in parts:
        assert part.replace("`", "") in text


def test_stands_on_its_own():
    page = render(tuple(DOCUMENTS))
    assert not re.search(r"https?://|@import|url\(|<link|<script", page)
    assert page.count("<style>") == 1


def test_is_light_and_dark():
    style = render(()).split("</style>")[0]
    assert "prefers-color-scheme:dark" in style
    assert '[data-jp-theme-light="false"]' in style
    assert ".vscode-dark" in style
