"""Puts changed cells back into the text of a notebook, and leaves all else as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from wellshaped.notebook.layout import Range, array_elements, value_at
from wellshaped.notebook.read import Cell, Notebook, parse_notebook
from wellshaped.records.source import cell_of

# What stands for one character of a string; `\ud83d\ude00` is one character.
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_UNIT = re.compile(rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\]", re.DOTALL)
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[01])[0-9a-fA-F]{4}")


def _bytes(file: str) -> bytes:
    return Path(file).read_bytes()


def whole_texts(
    sources: Mapping[str, str], read: Callable[[str], bytes] = _bytes
) -> dict[str, str]:
    """The sources by the files they are stored in: cells put into the text of their notebooks."""
    cells: dict[str, dict[int, str]] = {}
    for file, text in sources.items():
        place = cell_of(file)
        if place is not None:
            cells.setdefault(place[0], {})[place[1]] = text
    whole = {
        file: spliced(parse_notebook(read(file), file), texts) for file, texts in cells.items()
    }
    return {file: text for file, text in sources.items() if cell_of(file) is None} | whole


def spliced(notebook: Notebook, sources: Mapping[int, str]) -> str:
    """The text of the notebook with other sources for some of its cells, by their numbers."""
    text = notebook.text
    ascii_only = text.isascii() and _ESCAPED.search(text) is not None
    for cell in sorted(notebook.cells, key=lambda each: each.place, reverse=True):
        source = sources.get(cell.number)
        if source is not None and source != cell.source:
            start, end = cell.place
            text = text[:start] + _value(text, cell, source, ascii_only) + text[end:]
    return text


def _value(text: str, cell: Cell, source: str, ascii_only: bool) -> str:
    """The source as the cell stores it: one string, or a list of lines."""
    start, end = cell.place
    if text[start] != "[":
        return _string(text[start:end], source, ascii_only)
    return _list(text, cell.place, source, ascii_only)


def _list(text: str, place: Range, source: str, ascii_only: bool) -> str:
    ranges = list(array_elements(text, place[0]))
    tokens = [text[start:end] for start, end in ranges]
    new = _lines(tokens, source.splitlines(keepends=True), ascii_only)
    opening, between, closing = _gaps(text, place, ranges)
    return f"[{opening}{between.join(new)}{closing}]" if new else "[]"


def _lines(tokens: list[str], lines: list[str], ascii_only: bool) -> list[str]:
    """The lines as strings of JSON; those that were there before keep their spelling."""
    old = [value_at(token, 0)[0] for token in tokens]
    first = _shared(old, lines)
    last = _shared(old[first:][::-1], lines[first:][::-1])
    gone, come = tokens[first : len(old) - last], lines[first : len(lines) - last]
    if len(gone) == len(come):
        middle = [_string(*pair, ascii_only) for pair in zip(gone, come, strict=True)]
    else:
        middle = [json.dumps(line, ensure_ascii=ascii_only) for line in come]
    return [*tokens[:first], *middle, *tokens[len(old) - last :]]


def _gaps(text: str, place: Range, ranges: list[Range]) -> tuple[str, str, str]:
    """What stands before the first line, between lines and behind the last."""
    if not ranges:
        return "", ", ", ""
    opening, closing = text[place[0] + 1 : ranges[0][0]], text[ranges[-1][1] : place[1] - 1]
    if len(ranges) > 1:
        return opening, text[ranges[0][1] : ranges[1][0]], closing
    return opening, f",{opening}" if opening else ", ", closing


def _string(token: str, new: str, ascii_only: bool) -> str:
    """A string of JSON changed into another; what both begin and end with keeps its spelling."""
    units = _UNIT.findall(token[1:-1])
    old = value_at(token, 0)[0]
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    middle = json.dumps(new[first : len(new) - last], ensure_ascii=ascii_only)[1:-1]
    return f'"{"".join(units[:first])}{middle}{"".join(units[len(units) - last :])}"'


def _shared(one: str | list[str], other: str | list[str]) -> int:
    """How many elements two sequences begin with alike."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count
