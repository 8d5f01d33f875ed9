"""The language in which a contract says what torch computes, and its interpreter.

A formula is a few lines of Python's own expression syntax: calls of the operations in
`sketch.py` and `kernels/`, arithmetic, comparisons and `a if b else c` over the arguments
of the loss; `name = expression` keeps a value. The last line is the result.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from textwrap import dedent
from types import CodeType
from typing import Any

from wellshaped.contracts import sketch
from wellshaped.contracts.kernels import classes, elementwise, linear, sequences
from wellshaped.contracts.sketch import Sketch

_ALLOWED = (
    ast.Module,
    ast.Assign,
    ast.Expr,
    ast.Expression,
    ast.Call,
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Tuple,
    ast.Subscript,
    ast.Slice,
    ast.IfExp,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.expr_context,
    ast.boolop,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)

OPERATIONS: dict[str, Callable[..., Any]] = {
    name: thing
    for module in (sketch, elementwise, classes, linear, sequences)
    for name, thing in vars(module).items()
    if callable(thing) and not name.startswith("_") and not isinstance(thing, type)
}


@cache
def compiled(steps: str) -> tuple[CodeType | None, CodeType]:
    """Parse a formula, refuse what is not in the language, and compile it."""
    tree = ast.parse(dedent(steps).strip())
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"{type(node).__name__} is not in the language of formulas")
    *before, last = tree.body
    if not isinstance(last, ast.Expr):
        raise ValueError("a formula ends with its result")
    body = compile(ast.Module(before, []), "<formula>", "exec") if before else None
    return body, compile(ast.Expression(last.value), "<formula>", "eval")


def run_formula(steps: str, arguments: Mapping[str, Any]) -> Sketch:
    """Run a formula over sketches and options; raises `Rejected` where torch would raise."""
    body, result = compiled(steps)
    space = {"__builtins__": {}, **OPERATIONS, **arguments}
    if body is not None:
        exec(body, space)
    outcome = eval(result, space)
    assert isinstance(outcome, Sketch), f"a formula gives a sketch, not {outcome!r}"
    return outcome
