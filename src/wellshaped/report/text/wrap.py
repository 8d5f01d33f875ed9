"""Breaking text into lines of limited width, in any language."""

from __future__ import annotations

import re
from unicodedata import category

from wellshaped.report.text.width import cells, chop, is_wide, visible

_BLANKS = re.compile(r"[ \t\r\n]+")
_CODE = r"`[^`]*`"
_SHAPE = r"[(\[][\w*.]+(?:, [\w*.]+)*,?[)\]]"
_UNIT = re.compile(f"{_CODE}|{_SHAPE}|[^ ]")
_WORD = re.compile(f"(?:{_UNIT.pattern})+")
_OPERATORS = frozenset("=<>x×≤≥≠+-*/")
# Japanese and Chinese have no spaces: a line may end after any character but an opening bracket,
# and start with any but a closing one, a full stop, a comma, a lengthening mark or a small kana.
_OPENING = frozenset({"Ps", "Pi"})
_CLOSING = frozenset({"Pe", "Pf", "Po", "Lm", "Mn"})
_NEVER_FIRST = frozenset("ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ〜～゛゜％℃°")  # noqa: RUF001


def wrap(text: str, *, width: int) -> list[str]:
    """Fill lines; code in backticks, shapes and products such as `64 x 64` stay whole."""
    lines: list[str] = []
    line = ""
    for gap, chunk in _chunks(visible(_BLANKS.sub(" ", text).strip(" ")), width=width):
        if line and cells(line) + len(gap) + cells(chunk) > width:
            lines.append(line)
            line = chunk
        else:
            line += gap + chunk if line else chunk
    return [*lines, line] if line else lines


def _chunks(text: str, *, width: int) -> list[tuple[str, str]]:
    """What must not be broken, each with the space or nothing that separates it from the last."""
    found: list[tuple[str, str]] = []
    for words in _glued(_WORD.findall(text)):
        for index, chunk in enumerate(_breakable(words)):
            gap = "" if index else " "
            found += [(gap, chunk)] if cells(chunk) <= width else _forced(gap, chunk, width)
    return found


def _glued(words: list[str]) -> list[str]:
    """Words with a lone operator joined to both of its neighbours: `B = 1`."""
    joined: list[str] = []
    sticky = False
    for word in words:
        is_operator = word in _OPERATORS
        if joined and (sticky or is_operator):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
        sticky = is_operator
    return joined


def _breakable(word: str) -> list[str]:
    chunks: list[str] = []
    for unit in re.findall(f"{_UNIT.pattern}| ", word):
        if chunks and not _may_break(chunks[-1][-1], unit[0]):
            chunks[-1] += unit
        else:
            chunks.append(unit)
    return chunks


def _may_break(before: str, after: str) -> bool:
    if category(before) in _OPENING or category(after) in _CLOSING or " " in (before, after):
        return False
    if after in _NEVER_FIRST or (_is_katakana(before) and _is_katakana(after)):
        return False
    return is_wide(before) or is_wide(after)


def _is_katakana(char: str) -> bool:
    """Foreign words are written in these; one that is broken is hard to read."""
    return "ァ" <= char <= "ヺ" or char == "ー"


def _forced(gap: str, chunk: str, width: int) -> list[tuple[str, str]]:
    """Something wider than a line: broken at its spaces, then anywhere."""
    found: list[tuple[str, str]] = []
    for word in chunk.split(" "):
        pieces = chop(word, width=width)
        found += [(gap, pieces[0]), *(("", piece) for piece in pieces[1:])]
        gap = " "
    return found


def wrap_code(text: str, *, width: int) -> list[str]:
    """Break a line of code after a space if it can be; nothing but that space is left out."""
    lines = [""]
    for token in re.findall(r" *[^ ]+|  *", text):
        if lines[-1] and cells(lines[-1]) + cells(token) > width:
            lines.append("")
            token = token.removeprefix(" ")
        first, *rest = chop(lines[-1] + token, width=width)
        lines[-1:] = [first, *rest]
    return lines
