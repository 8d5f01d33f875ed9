"""Text measured in terminal cells, and made safe to print."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate

ELLIPSIS = "…"
TAB_STOP = 4

# Control, format, surrogate, private, unassigned, line and paragraph separators: characters that
# move the cursor, reorder text, cannot be encoded or have no agreed width.
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_COMBINING = frozenset({"Mn", "Me"})


def cells(text: str) -> int:
    """The number of terminal cells that printable text fills."""
    if text.isascii():
        return len(text)
    return sum(map(_char_cells, text))


def is_wide(char: str) -> bool:
    """Whether a character fills two cells."""
    return unicodedata.east_asian_width(char) in ("W", "F")


def _char_cells(char: str) -> int:
    is_medial_jamo = "\u1160" <= char <= "\u11ff"
    if unicodedata.category(char) in _COMBINING or is_medial_jamo:
        return 0
    return 2 if is_wide(char) else 1


def glyphs(text: str) -> list[str]:
    """What is printed for each character: tabs as spaces, invisible characters escaped."""
    printed: list[str] = []
    column = 0
    for char in text:
        glyph = " " * (TAB_STOP - column % TAB_STOP) if char == "\t" else _glyph(char)
        printed.append(glyph)
        column += cells(glyph)
    return printed


def _glyph(char: str) -> str:
    if unicodedata.category(char) not in _ESCAPED:
        return char
    return char.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """The text with nothing in it that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(glyphs(text))


def offsets(pieces: list[str]) -> list[int]:
    """The cell at which each piece starts, and at the end the total."""
    return list(accumulate(map(cells, pieces), initial=0))


def truncated(text: str, *, width: int) -> str:
    """The text if it fits, otherwise its beginning and an ellipsis."""
    if cells(text) <= width:
        return text
    return text[: bisect_right(offsets(list(text)), width - 1) - 1] + ELLIPSIS


def cut_start(text: str, *, width: int) -> str:
    """The text if it fits, otherwise an ellipsis and its end."""
    if cells(text) <= width:
        return text
    starts = offsets(list(text))
    return ELLIPSIS + text[bisect_left(starts, starts[-1] - width + 1) :]


def chop(text: str, *, width: int) -> list[str]:
    """The text in pieces of at most `width` cells, whatever is broken by that."""
    pieces = [""]
    for char in text:
        if pieces[-1] and cells(pieces[-1]) + cells(char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces
