"""The lines an edit removes and the lines it puts in their place."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable, Mapping

from wellshaped.records.repair import Edit
from wellshaped.records.source import Span

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
    """Signed lines, common indentation removed: what goes, then what comes."""
    before, every = tuple(lines), tuple(edits)
    after = dict(edited(before, every))
    shown = {number for number, _ in before}
    new = [each.text for each in every if each.span.line not in shown and "\n" in each.text]
    gone, come = [], [("+", line) for text in new for line in _dedented(text)]
    for number, text in before:
        found = _dedented(after[number])
        if found != [text.strip()]:
            gone += [("-", text.strip())] if text.strip() not in found else []
            come += [("+", line) for line in found if line != text.strip()]
    return tuple(gone + come)


def _dedented(text: str) -> list[str]:
    lines = textwrap.dedent(text).strip().splitlines()
    return [line.rstrip() for line in lines if line.strip()]


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


def edits_between(file: str, before: str, after: str) -> tuple[Edit, ...] | None:
    """The lines that differ between two texts as edits of the first; None where lines came or went.

    Each is narrowed to what differs within it.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) != len(new):
        return None
    changed = [place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
    return tuple(_line_edit(file, place + 1, old[place], new[place]) for place in changed)


def _line_edit(file: str, line: int, old: str, new: str) -> Edit:
    start = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]),
        min(len(old), len(new)),
    )
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Edit(file, Span(line, start, line, len(old) - end), new[start : len(new) - end])
