"""A place in the user's program: where it is, and its source with marks."""

from __future__ import annotations

from pathlib import Path

from wellshaped.records.source import cell_of
from wellshaped.report.document import Excerpt, SourceLine
from wellshaped.report.text.marks import annotated
from wellshaped.report.text.paint import Line, StyledText, plain
from wellshaped.report.text.width import cells, cut_start, truncated, visible
from wellshaped.report.text.window import fitted_line
from wellshaped.report.text.wrap import wrap

INDENT = "  "
_SHORTEST_FILE = 12


def excerpt_lines(excerpt: Excerpt, *, width: int, edge: int) -> list[Line]:
    """The location, then the source; `edge` is where text at the right ends."""
    return [*_location(excerpt, edge=edge), *_source(excerpt.lines, width=width)]


def _location(excerpt: Excerpt, *, edge: int) -> list[Line]:
    place = _place(excerpt, room=edge - len(INDENT))
    note = visible(excerpt.note)
    room = edge - cells(plain(place)) - cells(note)
    if not note:
        return [place]
    if room >= 2:
        return [(*place, StyledText(" " * room), StyledText(note, "aside"))]
    notes = wrap(note, width=edge - len(INDENT))
    return [
        place,
        *((StyledText(" " * (edge - cells(line))), StyledText(line, "aside")) for line in notes),
    ]


def _place(excerpt: Excerpt, *, room: int) -> Line:
    """`reward.py:41  in training_step`: the end of a long path says more than its start."""
    number = f":{excerpt.line}"
    function = f"  {visible(excerpt.inside)}" if excerpt.inside else ""
    function = truncated(function, width=room - len(number) - _SHORTEST_FILE)
    file_room = room - len(number) - cells(function)
    file = cut_start(visible(excerpt.file), width=file_room)
    return (
        StyledText(INDENT),
        StyledText(file + number, "place", link=_address(excerpt)),
        StyledText(function),
    )


def _address(excerpt: Excerpt) -> str:
    """Kitty, iTerm2 and VS Code read a fragment as the line number."""
    if not excerpt.file or excerpt.file.startswith("<"):
        return ""
    cell = cell_of(excerpt.file)
    try:
        if cell is not None:
            return Path(cell[0]).absolute().as_uri()
        return f"{Path(excerpt.file).absolute().as_uri()}#{excerpt.line}"
    except (OSError, ValueError):  # the working directory is gone, or the name is no file's
        return ""


def _source(lines: tuple[SourceLine, ...], *, width: int) -> list[Line]:
    if not lines:
        return []
    digits = max(len(str(line.number)) for line in lines)
    found = [_gutter("", digits)]
    for index, line in enumerate(lines):
        if index and line.number != lines[index - 1].number + 1:
            found.append((StyledText(f"{INDENT}...", "gutter"),))
        found += _source_line(line, digits=digits, width=width)
    return found


def _source_line(line: SourceLine, *, digits: int, width: int) -> list[Line]:
    room = width - cells(plain(_gutter("", digits)))
    text, marks = fitted_line(line, width=room)
    blank = _gutter("", digits)
    under = [(*blank, *annotation) for annotation in annotated(marks, width=room)]
    return [(*_gutter(str(line.number), digits), StyledText(text)), *under]


def _gutter(number: str, digits: int) -> Line:
    return (StyledText(f"{INDENT}{number:>{digits}} | ", "gutter"),)
