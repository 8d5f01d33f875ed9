"""From a text that was read to the document that says what it allows, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wellshaped.locale import Words
from wellshaped.records.message import Pasted
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage
from wellshaped.report.compose import shown_path
from wellshaped.report.document import (
    Document,
    Excerpt,
    Mark,
    Paragraph,
    Section,
    SourceLine,
    TableRow,
)
from wellshaped.report.text.page import first_sentence

_MOST_TORCH = 200


def compose_message(told: Pasted, codes: tuple[str, ...], words: Words) -> Document:
    """The document of a text that no rule can be sure about: what may be behind it."""
    values = {name: _shown(value) for name, value in told.values.items()}
    values |= {"callee": told.callee}
    groups: tuple[tuple[Section, ...], ...] = (
        tuple(_table(told, words)),
        (Paragraph(words.label("why"), words.pasted("why", told.kind, values)),),
        tuple(_may_be(codes, words)) if len(codes) > 1 else (),
        tuple(_more(told, codes, words)),
    )
    return Document(
        "error",
        codes[0] if len(codes) == 1 else "",
        words.pasted("headline", told.kind, values),
        tuple(_excerpt(each, words) for each in told.passages[:1]),
        tuple(group for group in groups if group),
        words.label("error"),
    )


def compose_reading(
    document: Document, others: tuple[str, ...], words: Words, *, place: int, count: int
) -> Document:
    """A document that a rule made of a text: with what else may apply, and that it is a reading."""
    name = "reading" if count > 1 else "unseen"
    alone = (Paragraph(words.label("caution"), words.text(name, place=place, count=count)),)
    last = document.groups[-1:]
    extra = (tuple(_may_be(others, words)),) if others else ()
    return replace(document, groups=(*document.groups[:-1], *extra, alone, *last))


def compose_unknown(told: Pasted, words: Words) -> Document:
    """The document of a text that is not known."""
    given = tuple(_torch(told, words.text("given")))
    groups = (given,) if given else ()
    note = words.label("note")
    return Document("note", "WS960", words.text("unknown"), groups=groups, severity_word=note)


def _shown(value: object) -> str:
    return shape_text(value) if isinstance(value, tuple) else str(value)


def _table(told: Pasted, words: Words) -> Iterator[Section]:
    cells = [
        f"{name} {_shown(value)}"
        for name, value in told.values.items()
        if isinstance(value, tuple) or name in ("wants", "got")
    ]
    if cells:
        yield TableRow(words.text("told"), tuple(cells))


def _may_be(codes: tuple[str, ...], words: Words) -> Iterator[Section]:
    for code in codes:
        yield Paragraph(words.text("may_be"), f"{code}: {first_sentence(code, words)}")


def _more(told: Pasted, codes: tuple[str, ...], words: Words) -> Iterator[Section]:
    if len(codes) == 1:
        yield Paragraph(words.label("more"), f"wellshaped explain {codes[0]}")
    yield Paragraph(words.label("more"), words.text("open" if len(codes) > 1 else "unseen"))
    yield from _torch(told, words.label("torch"))


def _torch(told: Pasted, name: str) -> Iterator[Section]:
    text = told.error_text
    if text:
        cut = text if len(text) <= _MOST_TORCH else text[: _MOST_TORCH - 4] + " ..."
        yield Paragraph(name, cut)


def _excerpt(passage: Passage, words: Words) -> Excerpt:
    place, span = passage.place, passage.span
    marks = (Mark(span.column, span.end_column, primary=True),) if span else ()
    lines = tuple(SourceLine(number, text, marks) for number, text in passage.lines)
    inside = words.label("inside", function=place.function) if place.function else ""
    return Excerpt(shown_path(place.file), place.line, 0, inside, "", lines)
