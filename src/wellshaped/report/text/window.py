"""The part of a source line that is shown: its marks first, then what fits around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from wellshaped.report.document import Mark, SourceLine
from wellshaped.report.text.width import ELLIPSIS, cells, glyphs, offsets, truncated, visible

# A stretch under or between marks is shortened to these many cells, in turn, until all fit.
_STRETCHES = (10**9, 40, 24, 16, 8, 5, 3)


def fitted_line(line: SourceLine, *, width: int) -> tuple[str, tuple[Mark, ...]]:
    """The text to print, at most `width` cells, and its marks in cells of that text."""
    pieces = glyphs(line.text.rstrip("\r\n"))
    marks = [_inside(mark, len(pieces), width) for mark in line.marks]
    pieces = _fitted(pieces, marks, width)
    starts = offsets(pieces)
    return "".join(pieces), tuple(_in_cells(mark, starts, width) for mark in marks)


def _inside(mark: Mark, length: int, width: int) -> Mark:
    start = min(max(mark.start, 0), length)
    end = min(max(mark.end, start), length)
    return Mark(start, end, truncated(visible(mark.label), width=width), mark.primary)


def _in_cells(mark: Mark, starts: list[int], width: int) -> Mark:
    """A mark keeps one cell at least, also where its text was left out."""
    start = min(starts[mark.start], width - 1)
    end = max(starts[mark.end], start + 1)
    return Mark(start, end, mark.label, mark.primary)


def _fitted(pieces: list[str], marks: list[Mark], width: int) -> list[str]:
    """The pieces with some left out; each keeps its index, so that marks stay valid.

    Room is kept for labels to stand under their marks, at most half of the width for each.
    """
    if not marks:
        return _scrolled(pieces, 0, 0, width)
    first = min(mark.start for mark in marks)
    for stretch in _STRETCHES:
        shorter = _shortened(pieces, marks, stretch)
        starts = offsets(shorter)
        reach = max(_reach(mark, starts, width) for mark in marks)
        if reach - starts[first] + 2 <= width:
            return _scrolled(shorter, first, reach, width)
    first = min((mark.start for mark in marks if mark.primary), default=first)
    return _scrolled(shorter, first, reach, width)


def _reach(mark: Mark, starts: list[int], width: int) -> int:
    label = min(cells(mark.label), width // 2)
    return max(starts[mark.end], starts[mark.start] + max(label, 1))


def _shortened(pieces: list[str], marks: list[Mark], stretch: int) -> list[str]:
    starts = offsets(pieces)
    edges = sorted({edge for mark in marks for edge in (mark.start, mark.end)})
    shorter = pieces
    for start, end in pairwise(edges):
        if starts[end] - starts[start] > stretch:
            head = bisect_right(starts, starts[start] + stretch // 2) - 1
            tail = bisect_left(starts, starts[end] - (stretch - 1) // 2)
            shorter = _without(shorter, head, tail)
    return shorter


def _scrolled(pieces: list[str], first: int, reach: int, width: int) -> list[str]:
    """Cut the head as far as the marks need it, at most up to `first`; then the tail."""
    starts = offsets(pieces)
    if max(starts[-1], reach) <= width:
        return pieces
    if reach >= width and first:
        head = min(bisect_left(starts, reach + 2 - width), first)
        pieces = _without(pieces, 0, head)
        starts = offsets(pieces)
    if starts[-1] > width:
        pieces = _without(pieces, bisect_right(starts, width - 1) - 1, len(pieces))
    return pieces


def _without(pieces: list[str], start: int, end: int) -> list[str]:
    if start >= end:
        return pieces
    return [*pieces[:start], ELLIPSIS, *[""] * (end - start - 1), *pieces[end:]]
