"""A document as text for a terminal: 80 cells wide, complete without colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from wellshaped.report.document import Document
from wellshaped.report.text.excerpt import excerpt_lines
from wellshaped.report.text.paint import Line, StyledText, paint
from wellshaped.report.text.sections import group_lines, text_column
from wellshaped.report.text.width import cells, visible
from wellshaped.report.text.wrap import wrap

NARROWEST = 40
_MARGIN = 2
_LINKING_PROGRAMS = frozenset({"WezTerm", "iTerm.app", "vscode", "ghostty"})
_FIRST_LINKING_VTE = 5000


def render(document: Document, *, width: int = 80, color: bool = False, links: bool = False) -> str:
    """The whole diagnosis; no line is wider than `width` (and `NARROWEST`) cells."""
    width = max(width, NARROWEST)
    blocks = [block for block in _blocks(document, width=width) if block]
    texts = ("\n".join(paint(line, color=color, links=links) for line in block) for block in blocks)
    return "\n\n".join(texts) + "\n"


def _blocks(document: Document, *, width: int) -> list[list[Line]]:
    edge = width - _MARGIN
    column = text_column(document.groups, width=width)
    return [
        _headline(document, edge=edge),
        *(excerpt_lines(excerpt, width=width, edge=edge) for excerpt in document.excerpts),
        *(group_lines(group, column=column, width=width, edge=edge) for group in document.groups),
    ]


def _headline(document: Document, *, edge: int) -> list[Line]:
    code = f"[{visible(document.code)}]" if document.code else ""
    lead = f"{visible(document.severity_word or document.severity)}{code}: "
    first, *rest = wrap(document.headline, width=edge - cells(lead)) or [""]
    indent = StyledText(" " * cells(lead))
    head = (StyledText(lead, document.severity), StyledText(first, "headline"))
    return [head, *((indent, StyledText(line, "headline")) for line in rest)]


def should_color(stream: TextIO, *, environ: Mapping[str, str]) -> bool:
    """Whether to colour: as the user asked, otherwise on a terminal that can."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()


def should_link(stream: TextIO, *, environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to open links, and the files are on its machine."""
    is_away = any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "TMUX", "STY"))
    if is_away or environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        environ.get("TERM_PROGRAM") in _LINKING_PROGRAMS
        or environ.get("TERM") == "xterm-kitty"
        or bool(environ.get("WT_SESSION"))
        or (vte.isascii() and vte.isdigit() and int(vte) >= _FIRST_LINKING_VTE)
    )
