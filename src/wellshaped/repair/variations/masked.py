"""Entries chosen by a mask, with as many in each row as in any other only by chance."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from wellshaped.repair.variations.record import SmallChange

_FILLED = {"max": 'float("-inf")', "amax": 'float("-inf")', "min": 'float("inf")',
           "amin": 'float("inf")', "sum": "0"}  # fmt: skip


def masked_rows(node: ast.expr, functions: Sequence[ast.FunctionDef]) -> Iterator[SmallChange]:
    """`x[mask].view(n, -1).max(1)` as the largest of what the mask leaves of each row.

    What else the function chooses in this way is changed along with it.
    """
    own = _filled(node)
    if own is not None:
        every = [_filled(each) for function in functions for each in ast.walk(function)]
        also = tuple(each for each in every if each is not None and not _same_place(each[0], node))
        yield SmallChange(*own, "masked", also)


def _filled(node: ast.AST) -> tuple[ast.expr, str] | None:
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Subscript(value=entries, slice=mask), attr="view" | "reshape"
                    ),
                    args=[_, ast.UnaryOp()],
                ) as rows,
                attr=name,
            )
        ) if name in _FILLED and isinstance(mask, (ast.Name, ast.UnaryOp, ast.Compare)):
            text = f"{ast.unparse(entries)}.masked_fill({_without(mask)}, {_FILLED[name]})"
            return rows, text
    return None


def _same_place(one: ast.expr, other: ast.expr) -> bool:
    return (one.lineno, one.col_offset) == (other.lineno, other.col_offset)


def _without(mask: ast.expr) -> str:
    """What a mask leaves out."""
    if isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert):
        return ast.unparse(mask.operand)
    text = ast.unparse(mask)
    return f"~{text}" if isinstance(mask, ast.Name) else f"~({text})"
