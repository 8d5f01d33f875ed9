"""Spans of text with a style, and the escape sequences that show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Style = Literal[
    "plain",
    "error",
    "warning",
    "note",
    "headline",
    "label",
    "gutter",
    "place",
    "aside",
    "code",
    "primary",
    "secondary",
    "removed",
    "added",
    "safe",
    "changes results",
    "choice",
]

_SGR: dict[Style, str] = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "headline": "1",
    "label": "1",
    "gutter": "34",
    "place": "1",
    "aside": "2",
    "code": "36",
    "primary": "1;31",
    "secondary": "1;34",
    "removed": "31",
    "added": "32",
    "safe": "32",
    "changes results": "33",
    "choice": "36",
}


@dataclass(frozen=True, slots=True)
class StyledText:
    """Printable text, how it is decorated, and the address it leads to."""

    text: str
    style: Style = "plain"
    link: str = ""


Line = tuple[StyledText, ...]


def plain(line: Iterable[StyledText]) -> str:
    """The text of a line."""
    return "".join(span.text for span in line)


def paint(line: Line, *, color: bool, links: bool) -> str:
    """The line as a terminal reads it, without blanks at its end."""
    return "".join(_painted(span, color, links) for span in _stripped(line))


def _stripped(line: Line) -> Line:
    spans = list(line)
    while spans and not spans[-1].text.rstrip(" "):
        spans.pop()
    if spans:
        spans[-1] = replace(spans[-1], text=spans[-1].text.rstrip(" "))
    return tuple(spans)


def _painted(span: StyledText, color: bool, links: bool) -> str:
    text = span.text
    if color and text and span.style in _SGR:
        text = f"\x1b[{_SGR[span.style]}m{text}\x1b[0m"
    if links and span.link:
        text = f"\x1b]8;;{span.link}\x1b\\{text}\x1b]8;;\x1b\\"
    return text
