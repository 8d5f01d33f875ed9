"""The page of a code, and the list of all, as text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category

from wellshaped.locale import ENGLISH, Words, heading, in_one_language
from wellshaped.report.text.width import is_wide
from wellshaped.report.text.wrap import wrap

_WIDTH = 80
_CODE_INDENT = "    "
_SENTENCE = re.compile(r".*?(?:。|[.!?](?=\s|$))|.+", re.DOTALL)


def render(code: str, words: Words = ENGLISH) -> str:
    """Code, name and severity, then the page; raises KeyError where there is no such code."""
    code, name, severity = heading(code)

    def said(each: Words) -> str:
        return "\n".join(
            (f"{code}  {name}  ({each.label(severity)})", "", *_lines(each.page(code)))
        )

    return in_one_language(words, said) + "\n"


def render_index(codes: Iterable[str], words: Words = ENGLISH) -> str:
    """A line for each code: its name and the first sentence of its page."""
    known = [heading(code) for code in codes]
    width = max((len(name) for _, name, _ in known), default=0)
    return "".join(
        f"{code}  {name:{width}}  {first_sentence(code, words)}\n" for code, name, _ in known
    )


def first_sentence(code: str, words: Words) -> str:
    """What a code is about: how its page begins."""
    page = in_one_language(words, lambda each: each.page(code))
    found = _SENTENCE.match(on_one_line(page.split("\n\n")[0]))
    return found.group() if found else ""


def _lines(page: str) -> list[str]:
    """Prose filled to the width, code as it is, a blank line between."""
    found: list[str] = []
    for part in page.strip("\n").split("\n\n"):
        is_code = part.startswith(_CODE_INDENT)
        found += ["", *(part.split("\n") if is_code else wrap(on_one_line(part), width=_WIDTH))]
    return found[1:]


def on_one_line(paragraph: str) -> str:
    """A paragraph on one line: Japanese and Chinese have no space between its lines."""
    first, *rest = paragraph.split("\n")
    for line in rest:
        first += line if _touch(first[-1:], line[:1]) else f" {line}"
    return first


def _touch(before: str, after: str) -> bool:
    """Whether no space belongs between the end of one line and the start of the next."""
    wide = [char for char in (before, after) if char and is_wide(char)]
    return len(wide) == 2 or any(category(char).startswith("P") for char in wide)
