"""Finds in the source of a program where gradients are switched off around an expression."""

from __future__ import annotations

import ast

from wellshaped.records.source import Passage
from wellshaped.source.code import Source, source_of

_BLOCKS = ("no_grad", "inference_mode", "set_grad_enabled")


def enclosing_no_grad(passage: Passage) -> Passage | None:
    """The block or the decorator that switches gradients off around an expression."""
    at = node_at(passage)
    if at is None:
        return None
    source, node = at
    above: ast.AST | None = node
    while above is not None:
        parts = [each.context_expr for each in above.items] if isinstance(above, ast.With) else []
        parts += getattr(above, "decorator_list", [])
        for part in parts:
            if any(word in source.text(part) for word in _BLOCKS):
                return source.passage(part)
        above = source.parents.get(above)
    return None


def node_at(passage: Passage) -> tuple[Source, ast.AST] | None:
    """The expression of a passage in the source of its file."""
    source = source_of(passage.place.file)
    if source is None or passage.span is None:
        return None
    found = next(source.nodes_at(passage.span), None)
    return None if found is None else (source, found)
