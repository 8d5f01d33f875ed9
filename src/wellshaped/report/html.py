"""A document as HTML that stands on its own: for notebooks, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from wellshaped.report.document import (
    Document,
    Excerpt,
    Paragraph,
    Section,
    SuggestedEdit,
    TableRow,
)
from wellshaped.report.text.excerpt import excerpt_lines
from wellshaped.report.text.paint import Line, Style
from wellshaped.report.text.width import visible

_WIDTH = 100
_CODE = re.compile(r"`([^`]*)`")
_CLASSES: dict[Style, str] = {
    "primary": "ws-bad",
    "secondary": "ws-mark",
    "gutter": "ws-dim",
    "aside": "ws-dim",
    "place": "ws-strong",
}
_DARK = "--ws-dim:#999;--ws-bad:#ff8a80;--ws-mark:#82b1ff;--ws-good:#8fd694;--ws-code:#2a2a2a;"
_LIGHT = "--ws-dim:#666;--ws-bad:#b3261e;--ws-mark:#1a56b0;--ws-good:#1b6e2b;--ws-code:#f2f2f2;"
_DARK_THEMES = (
    '[data-jp-theme-light="false"] .wellshaped',
    ".vscode-dark .wellshaped",
    'html[theme="dark"] .wellshaped',
)
_STYLE = (
    f".wellshaped{{{_LIGHT}border-left:3px solid var(--ws-bad);padding:.3em .9em;margin:.5em 0;"
    "font-size:13px;line-height:1.45;color:inherit}"
    f"@media (prefers-color-scheme:dark){{.wellshaped{{{_DARK}}}"
    f'[data-jp-theme-light="true"] .wellshaped,.vscode-light .wellshaped{{{_LIGHT}}}}}'
    f"{','.join(_DARK_THEMES)}{{{_DARK}}}"
    ".wellshaped pre{margin:.4em 0;padding:.4em .6em;background:var(--ws-code);color:inherit;"
    "overflow-x:auto;font-size:12px;line-height:1.35}"
    ".wellshaped code{background:var(--ws-code);color:inherit;padding:0 .2em;font-size:12px}"
    ".wellshaped table{border-collapse:collapse;margin:.3em 0;background:none}"
    ".wellshaped th,.wellshaped td{text-align:left;vertical-align:top;padding:.1em 1em .1em 0;"
    "background:none;border:0;color:inherit;white-space:normal}"
    ".wellshaped th{font-weight:600;color:var(--ws-dim);white-space:nowrap}"
    ".ws-bad,.ws-removed{color:var(--ws-bad)}.ws-mark{color:var(--ws-mark)}"
    ".ws-added{color:var(--ws-good)}.ws-dim{color:var(--ws-dim)}.ws-strong{font-weight:600}"
)  # fmt: skip


def render(documents: tuple[Document, ...]) -> str:
    """All documents, one below the other; whatever comes from the program is escaped."""
    return f"<style>{_STYLE}</style>" + "".join(_document(each) for each in documents)


def _document(document: Document) -> str:
    code = f"[{document.code}]" if document.code else ""
    lead = f"{document.severity_word or document.severity}{code}"
    head = f'<span class="ws-bad">{_text(lead)}</span>: '
    parts = [f"<div><strong>{head}{_prose(document.headline)}</strong></div>"]
    parts += [_excerpt(each) for each in document.excerpts]
    parts += [_group(group) for group in document.groups]
    return f'<div class="wellshaped">{"".join(parts)}</div>'


def _excerpt(excerpt: Excerpt) -> str:
    lines = excerpt_lines(excerpt, width=_WIDTH, edge=_WIDTH)
    return f"<pre>{chr(10).join(_line(line) for line in lines)}</pre>"


def _line(line: Line) -> str:
    return "".join(_span(span.text, _CLASSES.get(span.style, "")) for span in line)


def _span(text: str, name: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if name else escape(text)


def _group(group: tuple[Section, ...]) -> str:
    rows = []
    previous = ""
    for is_row, sections in groupby(group, key=lambda each: isinstance(each, TableRow)):
        for section in sections:
            shown = section.label if section.label != previous else ""
            cells = list(_cells(section))
            width = ' colspan="9"' if not is_row else ""
            body = "".join(f"<td{width}>{cell}</td>" for cell in cells)
            rows.append(f"<tr><th>{_text(shown)}</th>{body}</tr>")
            previous = section.label
    return f"<table>{''.join(rows)}</table>"


def _cells(section: Section) -> Iterator[str]:
    if isinstance(section, TableRow):
        yield from (_prose(cell) for cell in section.cells)
    elif isinstance(section, Paragraph):
        yield _prose(section.text)
    elif isinstance(section, SuggestedEdit):
        yield _change(section)


def _change(change: SuggestedEdit) -> str:
    level = (
        f' <span class="ws-dim">[{_text(change.level_word or change.level)}]</span>'
        if change.level
        else ""
    )
    where = f'<div class="ws-dim">{_text(change.where)}</div>' if change.where else ""
    names = {"-": "ws-removed", "+": "ws-added", " ": ""}
    lines = [_span(visible(f"{sign} {text.rstrip()}"), names[sign]) for sign, text in change.lines]
    code = f"<pre>{chr(10).join(lines)}</pre>" if lines else ""
    return f"{_prose(change.title)}{level}{where}{code}"


def _prose(text: str) -> str:
    """Running text, with what stands in backticks as code."""
    parts = _CODE.split(visible(text))
    return "".join(
        f"<code>{escape(part)}</code>" if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def _text(text: str) -> str:
    return escape(visible(text))
