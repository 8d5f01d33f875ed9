"""The short examples on the pages of the codes, as programs: each with what stands around it.

Where a page shows two lines, one wrong and one right, the last line mends the one before it, and
each is tried without the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.docs.surroundings import Around
from wellshaped.diagnose.faults import rules
from wellshaped.diagnose.own_codes import PAGES

_INDENT = "    "


def examples() -> dict[str, list[str]]:
    """The short examples of every page, by its code."""
    every = {each.code: each.page for each in rules()} | {c: page for c, (_, page) in PAGES.items()}
    found = {code: list(_indented(page)) for code, page in every.items()}
    return {code: texts for code, texts in found.items() if texts}


def _indented(page: str) -> Iterator[str]:
    for part in page.strip("\n").split("\n\n"):
        if part.startswith(_INDENT):
            yield "\n".join(line.removeprefix(_INDENT) for line in part.split("\n"))


def program(around: Around, example: str) -> str:
    """The whole program."""
    lines = []
    for line in around.text.split("\n"):
        depth = line[: len(line) - len(line.lstrip())]
        lines += [f"{depth}{each}" for each in _meant(line.strip(), example.split("\n"))]
    return "\n".join(lines)


def _meant(line: str, example: list[str]) -> list[str]:
    """A line of the program, or the lines of the example that it stands for."""
    if line == "EXAMPLE":
        return example
    _, is_one, number = line.partition("LINE ")
    return [example[int(number) - 1]] if is_one and number.isdigit() else [line]


def wrong_and_right(around: Around, example: str) -> tuple[list[str], list[str]]:
    """The programs that the page says are wrong, and those it says are right."""
    if not around.mends:
        whole = [program(around, example)]
        return (whole, []) if around.fires else ([], whole)
    *before, wrong, right = example.split("\n")
    return (
        [program(around, "\n".join([*before, wrong]))],
        [program(around, "\n".join([*before, right]))],
    )
