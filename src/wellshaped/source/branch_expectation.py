"""Which answer a test in the source hopes for: `assert` for true, `if …: raise` for false."""

from __future__ import annotations

import ast
import itertools
from functools import lru_cache
from types import CodeType, FrameType

from wellshaped.source.code import source_of

_Test = tuple[ast.expr, bool]
_EXITS = ("sys.exit", "exit", "quit", "os._exit")


def expected_branch(frame: FrameType) -> bool | None:
    """The truth value that lets the program pass the test this frame is making now.

    None where either answer is as good: a value that nobody knows must not end a program
    that would have checked it and gone on.
    """
    code, line = frame.f_code, frame.f_lineno
    column = _column(code, frame.f_lasti)
    for test, hope in _tests(code.co_filename).get(line, ()):
        return _at(test, hope, line, column)
    return None


def _column(code: CodeType, lasti: int) -> int | None:
    position = next(itertools.islice(code.co_positions(), lasti // 2, None), None)
    return position[2] if position else None


@lru_cache(maxsize=256)
def _tests(file: str) -> dict[int, list[_Test]]:
    """The tests of a file that hope for an answer, by each of their lines."""
    found: dict[int, list[_Test]] = {}
    source = source_of(file)
    if source is None:
        return found
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assert):
            entry = (node.test, True)
        elif isinstance(node, ast.If) and _gives_up(node.body[-1]):
            entry = (node.test, False)
        else:
            continue
        for line in range(node.lineno, (node.test.end_lineno or node.lineno) + 1):
            found.setdefault(line, []).append(entry)
    return found


def _gives_up(last: ast.stmt) -> bool:
    """Whether a branch ends the program: it raises, or calls `sys.exit`."""
    if isinstance(last, ast.Raise):
        return True
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in _EXITS


def _at(test: ast.expr, hope: bool, line: int, column: int | None) -> bool:
    """The hope of a whole test, turned over by each `not` on the way to the asking part."""
    while True:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, hope = test.operand, not hope
        elif isinstance(test, ast.BoolOp):
            test = next(
                (each for each in test.values if _holds(each, line, column)), test.values[0]
            )
        else:
            return hope


def _holds(node: ast.expr, line: int, column: int | None) -> bool:
    if column is None or node.end_lineno is None or node.end_col_offset is None:
        return False
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return start <= (line, column) < end
