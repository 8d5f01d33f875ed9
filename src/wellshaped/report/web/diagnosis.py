"""One fault on the page: what is said of it, its source, its flow, its repair and its proof."""

from __future__ import annotations

import shlex
from itertools import groupby

from wellshaped.locale import Words, heading
from wellshaped.records.flow import Pictured
from wellshaped.report.compose import compose
from wellshaped.report.document import Document, Paragraph, SuggestedEdit, TableRow
from wellshaped.report.text.page import on_one_line
from wellshaped.report.web import flow
from wellshaped.report.web.markup import element, prose, text
from wellshaped.report.web.source import change, excerpt

_CODE_INDENT = "    "
_Said = TableRow | Paragraph


def section(shown: Pictured, words: Words, *, number: int, program: str = "") -> str:
    """A fault with everything there is to say of it, in one language.

    `program` is what a command that picks one of its repairs is written for.
    """
    document = compose(shown.diagnosis, shown.swept, shown.sizes, words)
    name = anchor(words, number)
    before, changes, after = _parted(document)
    parts = [
        _head(document, name),
        *(excerpt(each, words) for each in document.excerpts),
        _facts(before),
        *_pictured(shown, words, name),
        *_repairs(changes, words, name, f"{_command(program)} {document.code}"),
        _facts(after),
        _about(shown.diagnosis.finding.code, words),
    ]
    return element("section", parts, klass=f"fault {document.severity}", aria_labelledby=name)


def anchor(words: Words, number: int) -> str:
    """What a fault is called within the page."""
    return f"{words.lang}-{number}"


def headline_html(shown: Pictured, words: Words) -> str:
    """A fault in one line: its code, and what happened."""
    document = compose(shown.diagnosis, shown.swept, shown.sizes, words)
    return f"{text(document.code)} {prose(document.headline)}"


def _head(document: Document, name: str) -> str:
    badge = f"{document.severity_word or document.severity} {document.code}"
    inner = f"{element('span', text(badge), klass='badge')} {prose(document.headline)}"
    return element("h2", inner, id=name)


def _parted(document: Document) -> tuple[list[_Said], list[SuggestedEdit], list[_Said]]:
    every = [each for group in document.groups for each in group]
    changes = [each for each in every if isinstance(each, SuggestedEdit)]
    rest = [each for each in every if not isinstance(each, SuggestedEdit)]
    at = every.index(changes[0]) if changes else len(rest)
    return rest[:at], changes, rest[at:]


def _pictured(shown: Pictured, words: Words, name: str) -> list[str]:
    if not shown.flow.lanes:
        return []
    return [
        element("h3", text(words.web("flow"))),
        flow.lanes(shown.flow, words),
        flow.sizes(
            shown.flow,
            shown.diagnosis.wrong,
            words,
            name=name,
            same_at_one=shown.diagnosis.values is not None,
        ),
    ]


def _command(program: str) -> str:
    return f"wellshaped fix {shlex.quote(program)} --apply --pick"


def _repairs(changes: list[SuggestedEdit], words: Words, name: str, picking: str) -> list[str]:
    """The repairs; a choice has the command that takes it: `picking`, and its number."""
    if not changes:
        return []
    blocks = [
        change(
            each,
            words,
            name=f"{name}-{place}",
            command=f"{picking}:{each.number}" if each.number else "",
        )
        for place, each in enumerate(changes)
    ]
    return [element("h3", text(words.label("fix"))), *blocks]


def _facts(sections: list[_Said]) -> str:
    """Tables of rows, and paragraphs beside their labels, each label once."""
    parts = []
    for is_table, group in groupby(sections, key=lambda each: isinstance(each, TableRow)):
        parts.append((_table if is_table else _list)(list(group)))
    return "".join(parts)


def _table(rows: list[_Said]) -> str:
    lines = [
        element("th", text(row.label), scope="row")
        + "".join(element("td", prose(cell)) for cell in row.cells)
        for row in rows
        if isinstance(row, TableRow)
    ]
    body = "".join(element("tr", line) for line in lines)
    return element("div", element("table", body), klass="table", tabindex=0, role="group")


def _list(sections: list[_Said]) -> str:
    parts = []
    for label, group in groupby(sections, key=lambda each: each.label):
        parts.append(element("dt", text(label)))
        parts += [element("dd", prose(each.text)) for each in group if isinstance(each, Paragraph)]
    return element("dl", parts)


def _about(code: str, words: Words) -> str:
    """The page of the code, folded."""
    _, name, _ = heading(code)
    parts = [element("summary", text(words.web("about", code=f"{code} ({name})")))]
    for part in words.page(code).strip("\n").split("\n\n"):
        if part.startswith(_CODE_INDENT):
            lines = "\n".join(text(line.removeprefix(_CODE_INDENT)) for line in part.split("\n"))
            parts.append(element("pre", element("code", lines), tabindex=0))
        else:
            parts.append(element("p", prose(on_one_line(part))))
    return element("details", parts)
