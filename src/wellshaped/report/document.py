"""A diagnosis ready to be printed: what is said and in which order, not how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Sign = Literal["-", "+", " "]


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters [start, end) of a source line, and the text printed under them."""

    start: int
    end: int
    label: str = ""
    primary: bool = False


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the user's source, as it stands in the file."""

    number: int
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in the user's program; `inside` names its function, `in fit`, if it is in one."""

    file: str
    line: int
    column: int = 0
    inside: str = ""
    note: str = ""
    lines: tuple[SourceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table; the cells of consecutive rows stand under each other."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a label equal to the one before it is printed once."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class SuggestedEdit:
    """An edit of the source; `where` names its place if that is not the line on show.

    `level_word` is the level as it is printed, if not by its own name. A choice has a number by
    which it can be picked, and says below its lines what it means and when it is right.
    """

    title: str
    level: str
    lines: tuple[tuple[Sign, str], ...] = ()
    where: str = ""
    label: str = "fix"
    level_word: str = ""
    below: tuple[Paragraph, ...] = ()
    number: int = 0


Section = TableRow | Paragraph | SuggestedEdit


@dataclass(frozen=True, slots=True)
class Document:
    """One diagnosis; the sections of a group stand together, a blank line between groups.

    `severity_word` is the severity as it is printed, if not by its own name.
    """

    severity: Severity
    code: str
    headline: str
    excerpts: tuple[Excerpt, ...] = ()
    groups: tuple[tuple[Section, ...], ...] = ()
    severity_word: str = ""
