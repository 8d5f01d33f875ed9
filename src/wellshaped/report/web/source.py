"""Source with its spans highlighted, and a change of it with a button that copies it."""

from __future__ import annotations

from itertools import groupby

from wellshaped.locale import Words
from wellshaped.report.document import Excerpt, Mark, SourceLine, SuggestedEdit
from wellshaped.report.text.marks import labels_below
from wellshaped.report.text.paint import plain
from wellshaped.report.text.width import cells, glyphs
from wellshaped.report.web.markup import element, prose, text

_WIDEST = 400
_SIGNS = {"-": "del", "+": "ins", " ": "span"}


def excerpt(shown: Excerpt, words: Words) -> str:
    """A place in the program, and its lines."""
    place = f"{shown.file}:{shown.line}"
    head = [element("code", text(place), klass="place")]
    head += [
        element("span", text(each), klass="dim") for each in (shown.inside, shown.note) if each
    ]
    lines = _lines(shown.lines)
    body = _scrolling(lines, "source", f"{words.web('source')} {place}") if lines else ""
    return element("figure", [element("figcaption", " ".join(head)), body], klass="excerpt")


def _scrolling(lines: str, kind: str, label: str) -> str:
    """A block that scrolls by itself, by keyboard too."""
    inner = element("code", lines)
    return element("pre", inner, klass=kind, tabindex=0, role="region", aria_label=label)


def _lines(lines: tuple[SourceLine, ...]) -> str:
    digits = max((len(str(line.number)) for line in lines), default=0)
    return "\n".join(_line(line, digits) for line in lines)


def _line(line: SourceLine, digits: int) -> str:
    pieces = glyphs(line.text.rstrip("\r\n"))
    gutter = element("span", f"{line.number:>{digits}}", klass="gutter")
    first = f"{gutter} {_highlighted(pieces, line.marks)}"
    blank = element("span", " " * digits, klass="gutter")
    under = labels_below([_in_cells(mark, pieces) for mark in line.marks], width=_WIDEST)
    below = [f"{blank} {element('span', text(plain(each)), klass='labels')}" for each in under]
    return "\n".join([first, *below])


def _in_cells(mark: Mark, pieces: list[str]) -> Mark:
    start, end = (cells("".join(pieces[:edge])) for edge in (mark.start, mark.end))
    return Mark(start, max(end, start + 1), mark.label, mark.primary)


def _highlighted(pieces: list[str], marks: tuple[Mark, ...]) -> str:
    """The characters of a line; of marks inside each other the innermost shows."""
    kinds = [""] * len(pieces)
    for mark in sorted(marks, key=lambda each: (each.start - each.end, each.primary)):
        for place in range(max(mark.start, 0), min(mark.end, len(pieces))):
            kinds[place] = "bad" if mark.primary else "met"
    parts = []
    for kind, group in groupby(zip(kinds, pieces, strict=True), key=lambda each: each[0]):
        run = text("".join(piece for _, piece in group))
        parts.append(element("mark", run, klass=kind) if kind else run)
    return "".join(parts)


def change(shown: SuggestedEdit, words: Words, *, name: str, command: str = "") -> str:
    """A repair: what it does, its level, and its lines, ready to be copied.

    `command` is the one that takes it, where it is a choice.
    """
    level = element("span", text(shown.level_word or shown.level), klass=f"level {_level(shown)}")
    title = element("p", f"{prose(shown.title)} {level if shown.level else ''}")
    where = element("p", element("code", text(shown.where)), klass="dim") if shown.where else ""
    below = [
        element("dt", text(each.label)) + element("dd", prose(each.text)) for each in shown.below
    ]
    block = diff_block(shown.lines, words, name=name) if shown.lines else ""
    pick = _copied(element("code", text(command), id=f"{name}-pick"), words, name=f"{name}-pick")
    return (
        title + where + (element("dl", below) if below else "") + block + (pick if command else "")
    )


def _level(shown: SuggestedEdit) -> str:
    return shown.level.replace(" ", "-")


def diff_block(
    lines: tuple[tuple[str, str], ...], words: Words, *, name: str, signed: bool = True
) -> str:
    """Signed lines with a button beside them; those of a patch have nothing behind their sign."""
    gap = " " if signed else ""
    shown = [
        element(_SIGNS.get(sign, "span"), text(f"{sign}{gap}{line.rstrip()}"))
        for sign, line in lines
    ]
    block = element(
        "pre",
        element("code", "\n".join(shown), id=name),
        klass="diff",
        tabindex=0,
        role="region",
        aria_label=words.web("diff"),
    )
    return _copied(block, words, name=name)


def _copied(block: str, words: Words, *, name: str) -> str:
    """Something with a button beside it that copies it."""
    done = element("span", "", klass="done", role="status", data_done=words.web("copied"))
    button = element("button", text(words.web("copy")), type="button", data_copy=name)
    return element("div", [block, element("p", [button, " ", done], klass="tools")], klass="change")
