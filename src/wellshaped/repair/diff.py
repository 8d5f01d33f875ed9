"""The lines an edit removes and the lines it puts in their place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from wellshaped.records.repair import Edit

Line = tuple[int, str]


def edited(lines: Iterable[Line], edits: Iterable[Edit]) -> tuple[Line, ...]:
    """The lines after the edits that fall on them; spans on one line each."""
    found = dict(lines)
    for edit in sorted(edits, key=lambda each: (each.span.line, -each.span.column)):
        span = edit.span
        if span.line not in found or span.end_line != span.line:
            continue
        text = found[span.line]
        found[span.line] = text[: span.column] + edit.text + text[span.end_column :]
    return tuple(found.items())


def changed_lines(lines: Iterable[Line], edits: Iterable[Edit]) -> tuple[tuple[str, str], ...]:
    """Signed lines, indentation removed: what goes, then what comes."""
    before = tuple(lines)
    after = dict(edited(before, edits))
    touched = [(number, text) for number, text in before if after[number] != text]
    gone = [("-", text.strip()) for _, text in touched]
    come = [("+", after[number].strip()) for number, _ in touched]
    return tuple(gone + come)


def changed_text(
    before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Signed lines of every file that differs, with the indentation they share removed."""
    found: list[tuple[str, str]] = []
    for file, text in after.items():
        lines = difflib.ndiff(before[file].splitlines(), text.splitlines())
        found += [(line[0], line[2:]) for line in lines if line[0] in "+-"]
    margin = min((len(text) - len(text.lstrip()) for _, text in found if text.strip()), default=0)
    gone = [(sign, text[margin:]) for sign, text in found if sign == "-"]
    return (*gone, *((sign, text[margin:]) for sign, text in found if sign == "+"))
