"""The lines an edit removes and the lines it puts in their place."""

from __future__ import annotations

from collections.abc import Iterable

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
