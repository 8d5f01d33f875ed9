"""Marks drawn under a source line, and their labels placed so that none hides another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wellshaped.report.document import Mark
from wellshaped.report.text.paint import Line, Style, StyledText
from wellshaped.report.text.width import cells


@dataclass(frozen=True, slots=True)
class _Item:
    """A label, or the connector that leads down to one."""

    start: int
    text: str
    style: Style

    @property
    def end(self) -> int:
        return self.start + cells(self.text)


def annotated(marks: Sequence[Mark], *, width: int) -> list[Line]:
    """The lines under a source line, as few as possible; marks are in cells.

    The last label stands beside its mark if that saves a line, else each stands under its own.
    """
    if not marks:
        return []
    below = _stacked(marks, width)
    last = max(marks, key=lambda mark: (mark.end, mark.start, mark.primary))
    beside = _stacked([mark for mark in marks if mark is not last], width)
    underline = _underline(marks)
    if len(beside) < len(below) and last.end + 1 + cells(last.label) <= width:
        underline = (*underline, StyledText(" "), StyledText(last.label, _style(last)))
        below = beside
    return [underline, *(_drawn(row) for row in below)]


def labels_below(marks: Sequence[Mark], *, width: int) -> list[Line]:
    """The labels alone, each under its mark: for those who mark the text itself."""
    return [_drawn(row) for row in _stacked(marks, width)]


def _style(mark: Mark) -> Style:
    return "primary" if mark.primary else "secondary"


def _underline(marks: Sequence[Mark]) -> Line:
    """A mark inside another is drawn over it; of two equal ones the primary wins."""
    cell_styles: list[Style] = ["plain"] * max(mark.end for mark in marks)
    for mark in sorted(marks, key=lambda mark: (mark.start - mark.end, mark.primary)):
        cell_styles[mark.start : mark.end] = [_style(mark)] * (mark.end - mark.start)
    signs = {"plain": " ", "primary": "^", "secondary": "-"}
    return _merged([StyledText(signs[style], style) for style in cell_styles])


def _merged(spans: list[StyledText]) -> Line:
    merged: list[StyledText] = []
    for span in spans:
        if merged and merged[-1].style == span.style:
            merged[-1] = StyledText(merged[-1].text + span.text, span.style)
        else:
            merged.append(span)
    return tuple(merged)


def _stacked(marks: Sequence[Mark], width: int) -> list[list[_Item]]:
    """Labels from right to left, each on the first line where it and its connector fit."""
    rows: list[list[_Item]] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.primary), reverse=True):
        if mark.label:
            start = max(min(mark.start, width - cells(mark.label)), 0)
            connector = _Item(mark.start, "|", _style(mark))
            _place(_Item(start, mark.label, _style(mark)), connector, rows)
    return rows


def _place(label: _Item, connector: _Item, rows: list[list[_Item]]) -> None:
    depth = 0
    while depth < len(rows) and not _is_free(rows[depth], label):
        depth += 1
    if not all(_is_free(row, connector) for row in rows[:depth]):
        depth = len(rows)
    for row in rows[:depth]:
        if _is_free(row, connector):
            row.append(connector)
    rows[depth:] = [[*(rows[depth] if depth < len(rows) else []), label], *rows[depth + 1 :]]


def _is_free(row: list[_Item], new: _Item) -> bool:
    return all(_is_apart(item, new) for item in row)


def _is_apart(one: _Item, other: _Item) -> bool:
    if "|" == one.text == other.text:
        return one.start != other.start
    gap = 1 if "|" in (one.text, other.text) else 2
    return one.end + gap <= other.start or other.end + gap <= one.start


def _drawn(row: list[_Item]) -> Line:
    spans: list[StyledText] = []
    column = 0
    for item in sorted(row, key=lambda item: item.start):
        spans += [StyledText(" " * (item.start - column)), StyledText(item.text, item.style)]
        column = item.end
    return tuple(spans)
