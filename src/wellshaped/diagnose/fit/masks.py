"""Attention masks that were made for another length: where their size is measured."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from wellshaped.diagnose.edits.call_edits import call_of, part_text, replaced
from wellshaped.records.observation import Operand
from wellshaped.records.repair import Edit

_SQUARE = ("generate_square_subsequent_mask", "ones", "zeros", "full")


def measured_on(mask: Operand, query: Operand) -> tuple[Edit, ...]:
    """`size(1)` of the sequence that the query comes from, not of another one."""
    names = [name for name in _sources(query) if name]
    return _measured_anew(mask, ast.Name(names[0])) if names else ()


def measured_along(mask: Operand) -> tuple[Edit, ...]:
    """The other one of the first two axes of the same tensor."""
    return _measured_anew(mask, None)


def _measured_anew(mask: Operand, name: ast.Name | None) -> tuple[Edit, ...]:
    """The edits of each size where the mask is made; with no name, of its axis alone."""
    birth = next((each for each in mask.origins if each.operation in _SQUARE), None)
    node = call_of(birth.passage) if birth is not None else None
    if birth is None or node is None:
        return ()
    passage = birth.passage
    changes = []
    for part in node.args:
        changed = _remeasured(ast.parse(part_text(passage, part), mode="eval").body, name)
        if changed:
            changes.append(replaced(passage, part, changed))
    return tuple(changes)


def _remeasured(node: ast.expr, name: ast.Name | None) -> str:
    """`a.size(1)` or `a.shape[1]` of another tensor, or along the other axis."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        whole, number = node.func, node.args[0]
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        whole, number = node.value, node.slice
    else:
        return ""
    axis = number.value if isinstance(number, ast.Constant) else None
    if whole.attr not in ("size", "shape") or not isinstance(whole.value, ast.Name):
        return ""
    if axis not in (0, 1) or not isinstance(number, ast.Constant):
        return ""
    if name is None:
        number.value = 1 - axis
    elif whole.value.id == name.id:
        return ""
    else:
        whole.value = name
    return ast.unparse(node)


def _sources(query: Operand) -> Iterator[str]:
    """The names that the layers before were given: `self.embed(tokens)`."""
    for birth in query.origins:
        node = call_of(birth.passage) if birth.operation[:1].isupper() else None
        if node is not None and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            yield node.args[0].id
