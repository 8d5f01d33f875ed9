"""Expressions that Python groups in another way than they read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from wellshaped.repair.variations.record import SmallChange

_NEUTRAL = {ast.Mult: 1, ast.Add: 0}
_EITHER = {ast.BitOr: "|", ast.BitAnd: "&"}


def regrouped(node: ast.expr) -> Iterator[SmallChange]:
    """`n * 2 if both else 1` is 1 where it is not both; `a != b | c != d` compares `b | c`."""
    match node:
        case ast.IfExp(body=ast.BinOp() as body, orelse=ast.Constant(value=value)):
            if _NEUTRAL.get(type(body.op)) == value:
                inner = ast.IfExp(node.test, body.right, node.orelse)
                yield SmallChange(
                    node, ast.unparse(ast.BinOp(body.left, body.op, inner)), "precedence"
                )
        case ast.Compare(ops=[first, second], comparators=[ast.BinOp() as middle, last]):
            sign = _EITHER.get(type(middle.op))
            if sign:
                one = ast.unparse(ast.Compare(node.left, [first], [middle.left]))
                other = ast.unparse(ast.Compare(middle.right, [second], [last]))
                yield SmallChange(node, f"({one}) {sign} ({other})", "precedence")
