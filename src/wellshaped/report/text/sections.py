"""Tables, paragraphs and changes laid out beside their labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, zip_longest

from wellshaped.report.document import Paragraph, Section, Sign, SuggestedEdit, TableRow
from wellshaped.report.text.excerpt import INDENT
from wellshaped.report.text.paint import Line, Style, StyledText
from wellshaped.report.text.width import cells, truncated, visible
from wellshaped.report.text.wrap import wrap, wrap_code

_TEXT_COLUMN = 12
_COLUMN_GAP = 4
_CODE = re.compile(r"(`[^`]*`)")
_SIGN_STYLES: dict[Sign, Style] = {"-": "removed", "+": "added", " ": "plain"}
_LEVEL_STYLES: dict[str, Style] = {
    "safe": "safe",
    "changes results": "changes results",
    "choice": "choice",
}

_Labelled = tuple[str, list[Line]]


def text_column(groups: tuple[tuple[Section, ...], ...], *, width: int) -> int:
    """Where text starts: two cells after the longest label, the same in the whole document."""
    widest = max((cells(visible(part.label)) for group in groups for part in group), default=0)
    return max(_TEXT_COLUMN, min(widest, width // 4) + 2 * len(INDENT))


def group_lines(group: tuple[Section, ...], *, column: int, width: int, edge: int) -> list[Line]:
    """The sections of a group, each label printed once; empty sections vanish."""
    found: list[Line] = []
    previous = ""
    for label, body in _bodies(group, width=width - column, edge=edge - column):
        if body:
            found += _beside(label if label != previous else "", body, column=column)
            previous = label
    return found


def _beside(label: str, body: list[Line], *, column: int) -> list[Line]:
    text = truncated(visible(label), width=column - 2 * len(INDENT))
    fill = " " * (column - len(INDENT) - cells(text))
    first = (StyledText(INDENT), StyledText(text, "label"), StyledText(fill), *body[0])
    return [first, *((StyledText(" " * column), *line) for line in body[1:])]


def _bodies(group: tuple[Section, ...], *, width: int, edge: int) -> Iterator[_Labelled]:
    for is_table, sections in groupby(group, key=lambda section: isinstance(section, TableRow)):
        if is_table:
            yield from _table([row for row in sections if isinstance(row, TableRow)], width=edge)
            continue
        for section in sections:
            if isinstance(section, Paragraph):
                yield section.label, [_prose(line) for line in wrap(section.text, width=edge)]
            elif isinstance(section, SuggestedEdit):
                yield section.label, _change(section, width=width, edge=edge)


def _prose(text: str) -> Line:
    parts = _CODE.split(text)
    return tuple(
        StyledText(part, "code" if index % 2 else "plain") for index, part in enumerate(parts)
    )


def _table(rows: list[TableRow], *, width: int) -> Iterator[_Labelled]:
    """Rows with their columns aligned; columns that do not fit go into a further table."""
    texts = [[visible(cell) for cell in row.cells] for row in rows]
    for block in _blocks(list(zip_longest(*texts, fillvalue="")), width=width):
        for index, row in enumerate(rows):
            yield row.label, _row(block, index, width=width)


def _blocks(columns: list[tuple[str, ...]], *, width: int) -> list[list[tuple[str, ...]]]:
    blocks: list[list[tuple[str, ...]]] = []
    room = 0
    for column in columns:
        needed = max(map(cells, column))
        if not blocks or needed > room:
            blocks.append([])
            room = width
        blocks[-1].append(column)
        room -= needed + _COLUMN_GAP
    return blocks


def _row(block: list[tuple[str, ...]], index: int, *, width: int) -> list[Line]:
    if len(block) == 1:
        return [_prose(line) for line in wrap(block[0][index], width=width)]
    texts = [
        column[index] + " " * (max(map(cells, column)) + _COLUMN_GAP - cells(column[index]))
        for column in block
    ]
    return [_prose("".join(texts).rstrip(" "))] if "".join(texts).strip(" ") else []


def _change(change: SuggestedEdit, *, width: int, edge: int) -> list[Line]:
    found = _title(change, edge=edge)
    if change.where:
        where = wrap(change.where, width=edge)
        found += [(StyledText(line, "place"),) for line in where]
    for sign, text in change.lines:
        found += _edited(sign, text, width=width)
    for each in change.below:
        found += [_prose(line) for line in wrap(f"{each.label}: {each.text}", width=edge)]
    return found


def _title(change: SuggestedEdit, *, edge: int) -> list[Line]:
    """The title, and its level at the right of the first line."""
    word = visible(change.level_word or change.level)
    level = truncated(f"[{word}]" if word else "", width=edge // 2)
    first, *rest = wrap(change.title, width=edge - cells(level) - 2) or [""]
    fill = " " * (edge - cells(first) - cells(level))
    style = _LEVEL_STYLES.get(change.level, "plain")
    return [(*_prose(first), StyledText(fill), StyledText(level, style)), *map(_prose, rest)]


def _edited(sign: Sign, text: str, *, width: int) -> list[Line]:
    """A line of a diff; what does not fit goes on below it, indented and without a sign."""
    code = visible(text.rstrip("\r\n"))
    fits = cells(code) <= width - 2
    first, *rest = [code] if fits else wrap_code(code, width=width - 6)
    lines = [f"{sign} {first}", *(f"{'':6}{line}" for line in rest)]
    return [(StyledText(line, _SIGN_STYLES[sign]),) for line in lines]
