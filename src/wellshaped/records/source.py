"""Places in the user's source text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CELL = re.compile(r"(.+\.ipynb)#cell([1-9][0-9]*)", re.DOTALL)


def cell_file(notebook: str, number: int) -> str:
    """The file name that a cell goes by; cells of every kind are counted, from 1."""
    return f"{notebook}#cell{number}"


def cell_of(file: str) -> tuple[str, int] | None:
    """The notebook and the number of a cell, from its file name; None for other files."""
    found = _CELL.fullmatch(file)
    return (found[1], int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class Span:
    """A range of source text: lines from 1, columns in characters from 0, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: Span) -> bool:
        """Whether the other span lies within this one."""
        start = (self.line, self.column) <= (other.line, other.column)
        return start and (other.end_line, other.end_column) <= (self.end_line, self.end_column)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's program, and the function it stands in."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Passage:
    """An expression in the source: where it stands, its own text, and its whole lines.

    `span` is None, and the texts are empty, where there is no source to show.
    """

    place: Place
    span: Span | None = None
    text: str = ""
    lines: tuple[tuple[int, str], ...] = ()
