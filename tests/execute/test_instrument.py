"""Marks tell which blocks ran, and leave lines, columns and behaviour as they are."""

import builtins
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from wellshaped.execute.instrument import AGAIN, LOOP, TABLE, Instrumented, instrument

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*/fixed.py"))
PROGRAM = textwrap.dedent(
    '''
    """A program."""
    from __future__ import annotations
    def double(n):
        "Twice."
        return n * 2
    def never(n):
        return n[0]
    total = 0
    for each in range(3):
        if each == 1:
            total += double(each)
        elif each == 5:
            total += never(each)
        else:
            total += 1
    while total > 3:
        total -= 1
    try:
        total += 1
    except ValueError:
        total = never(0)
    if total == 99:
        raise SystemExit
    '''
)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> bytearray:
    """The table of file 7, and loops that go as they would."""
    found = bytearray(64)

    def loop(_: str, iterable: Iterable[Any]) -> Iterator[Any]:
        return iter(iterable)

    monkeypatch.setattr(builtins, TABLE.format(7), found, raising=False)
    monkeypatch.setattr(builtins, LOOP, loop, raising=False)
    monkeypatch.setattr(builtins, AGAIN, lambda _, test: bool(test), raising=False)
    return found


def run(found: Instrumented) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(found.code, space)
    return space


def test_blocks_that_ran_are_in_the_table(table: bytearray) -> None:
    found = instrument(PROGRAM, "program.py", 7)
    run(found)
    missed = {
        PROGRAM.splitlines()[block.line - 1].strip()
        for block in found.blocks
        if not table[block.first]
    }
    assert missed == {"return n[0]", "total += never(each)", "total = never(0)", "raise SystemExit"}


def test_the_program_computes_what_it_did(table: bytearray) -> None:
    space: dict[str, Any] = {}
    exec(compile(PROGRAM, "program.py", "exec"), space)
    marked_space = run(instrument(PROGRAM, "program.py", 7))
    assert marked_space["total"] == space["total"] == 4
    assert marked_space["double"].__doc__ == "Twice."
    assert marked_space["__doc__"] == "A program."


def test_a_block_that_only_raises_tells_nothing() -> None:
    found = instrument(PROGRAM, "program.py", 7)
    silent = {block.line for block in found.blocks if not block.tells}
    assert [PROGRAM.splitlines()[line - 1].strip() for line in sorted(silent)] == [
        "total += 1",
        "total -= 1",
        "raise SystemExit",
    ]


@pytest.mark.parametrize("path", CASES[::12], ids=lambda path: path.parent.name)
def test_lines_and_columns_stay(path: Path) -> None:
    """Every position of the plain code is there in the marked code."""
    text = path.read_text()
    plain = positions(compile(text, str(path), "exec"))
    assert plain <= positions(instrument(text, str(path), 7).code)


def positions(code: CodeType) -> set[tuple[int | None, ...]]:
    found: set[tuple[int | None, ...]] = set(code.co_positions())
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= positions(const)
    return found
