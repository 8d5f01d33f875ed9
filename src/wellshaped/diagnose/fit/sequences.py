"""Sequences of which one has a step more: which was cut, and how to cut flattened ones."""

from __future__ import annotations

import ast

from wellshaped.records.observation import Operand
from wellshaped.records.repair import Edit

_ENDS = {":-1": "last", "1:": "first"}
_OTHER = {"last": "1:", "first": ":-1"}
_FLATTENING = ("view", "reshape", "flatten", "contiguous")


def cut_before_flattening(operand: Operand, cut: str) -> Edit | None:
    """`x.view(-1)` as `x[:, 1:].reshape(-1)`; None where the expression is not of that form."""
    passage = operand.passage
    if passage is None or passage.span is None:
        return None
    try:
        node = ast.parse(passage.text, mode="eval").body
    except SyntaxError:
        return None
    base, calls = node, []
    while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
        if base.func.attr not in _FLATTENING:
            return None
        calls.append(base)
        base = base.func.value
    if not calls or not isinstance(base, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    outer = calls[0]
    arguments = ", ".join(ast.unparse(each) for each in outer.args)
    assert isinstance(outer.func, ast.Attribute)
    # A slice is not contiguous, so that `view` would refuse it.
    name = "flatten" if outer.func.attr == "flatten" else "reshape"
    return Edit(passage.place.file, passage.span, f"{ast.unparse(base)}{cut}.{name}({arguments})")


def cut_end(operand: Operand) -> str:
    """Which end of its sequences was cut off, by `[:, :-1]` or `[:, 1:]` on the way to it."""
    for birth in operand.origins:
        if birth.operation == "index":
            node = ast.parse(birth.passage.text.strip(), mode="eval").body
            index = node.slice if isinstance(node, ast.Subscript) else None
            parts = index.elts if isinstance(index, ast.Tuple) else [index] if index else []
            ends = [_ENDS[text] for each in parts if (text := ast.unparse(each)) in _ENDS]
            if len(ends) == 1:
                return ends[0]
    return ""


def other_end(short: Operand, axis: int) -> str:
    """The index that cuts a step of the longer sequence, where the shorter one lost the other.

    Scores of `words[:, :-1]` are those of the words without the first. Empty where nothing tells
    which end was meant.
    """
    end = _OTHER.get(cut_end(short), "")
    return f"[{':, ' * axis}{end}]" if end else ""
