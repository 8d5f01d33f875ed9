"""The parts of a call as the user wrote it, and the edits that change them."""

from __future__ import annotations

import ast
from typing import Any

from wellshaped.records.observation import Operand, Origin
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage, Span


def call_of(passage: Passage) -> ast.Call | None:
    """The call a passage is, if it stands on one line; columns count from its start."""
    span = passage.span
    if span is None or span.line != span.end_line:
        return None
    try:
        node = ast.parse(passage.text, mode="eval").body
    except SyntaxError:
        return None
    return node if isinstance(node, ast.Call) else None


def part_text(passage: Passage, node: ast.expr) -> str:
    """The text of a part of the call."""
    return passage.text.encode()[node.col_offset : node.end_col_offset].decode()


def replaced(passage: Passage, node: ast.expr, text: str) -> Edit:
    """The edit that puts a text in the place of a part of the call."""
    start, end = node.col_offset, node.end_col_offset or node.col_offset
    return _edit(passage, start, end, text)


def renamed(passage: Passage, name: str) -> tuple[Edit, ...]:
    """The edit that calls another method or function instead: `view` to `reshape`."""
    node = call_of(passage)
    if node is None or not isinstance(node.func, ast.Attribute):
        return ()
    end = node.func.end_col_offset or 0
    return (_edit(passage, end - len(node.func.attr.encode()), end, name),)


def with_argument(passage: Passage, name: str, place: int, value: str) -> tuple[Edit, ...]:
    """The edit that sets an argument, which may stand at a place, by name, or not at all."""
    node = call_of(passage)
    if node is None:
        return ()
    for keyword in node.keywords:
        if keyword.arg == name:
            return (replaced(passage, keyword.value, value),)
    if place < len(node.args):
        return (replaced(passage, node.args[place], value),)
    end = node.end_col_offset or 0
    return (_edit(passage, end - 1, end, f", {name}={value})"),)


def instead_of(passage: Passage, name: str, other: str, value: str) -> tuple[Edit, ...]:
    """The edits that give one named argument in the place of another."""
    node = call_of(passage)
    found = [each for each in node.keywords if each.arg == name] if node else []
    if len(found) != 1:
        return ()
    start, end = found[0].col_offset, found[0].end_col_offset or 0
    return (_edit(passage, start, end, f"{other}={value}"),)


def argument_edit(passage: Passage, place: int, value: str) -> tuple[Edit, ...]:
    """The edit that changes one size of `view(2, 3)` or `view((2, 3))`."""
    node = call_of(passage)
    if node is None:
        return ()
    parts = node.args
    if len(parts) and isinstance(parts[-1], (ast.Tuple, ast.List)):
        parts = parts[-1].elts
    return (replaced(passage, parts[place], value),) if place < len(parts) else ()


def row_ends(lengths: Operand | None, mask: Operand | None) -> str | None:
    """The expression of the last real position of each row, by the names in sight."""
    if lengths is not None:
        return f"{lengths.text} - 1"
    return f"{mask.text}.sum(1).long() - 1" if mask is not None else None


def resized_birth(birth: Origin | None, wrong: int, right: str) -> tuple[Edit, ...]:
    """The edit of the one size that is wrong where a tensor is made: `zeros(2, 32, 16)`."""
    part = _size_part(birth, wrong)
    return (replaced(birth.passage, part, right),) if birth is not None and part else ()


def size_text(birth: Origin, size: int) -> str:
    """The one size of this number where a tensor is made, as it is written."""
    part = _size_part(birth, size)
    return part_text(birth.passage, part) if part else ""


def _size_part(birth: Origin | None, size: int) -> ast.expr | None:
    node = call_of(birth.passage) if birth is not None else None
    if birth is None or node is None or not node.args or not birth.arguments:
        return None
    sizes = birth.arguments[0] if _is_tuple(birth.arguments) else birth.arguments
    parts = node.args[0].elts if isinstance(node.args[0], (ast.Tuple, ast.List)) else node.args
    places = [place for place, each in enumerate(sizes) if each == size]
    return parts[places[0]] if len(places) == 1 and len(parts) == len(sizes) else None


def per_row(birth: Origin | None) -> tuple[Edit, ...]:
    """The edit that turns `x.view(-1, K)` into one row for each row of `x`."""
    node = call_of(birth.passage) if birth is not None else None
    if birth is None or node is None or not isinstance(node.func, ast.Attribute):
        return ()
    made = part_text(birth.passage, node.func.value)
    return () if made == "torch" else (replaced(birth.passage, node, f"{made}.flatten(1)"),)


def first_size(birth: Origin | None) -> int | None:
    """The first of the sizes that a `view` asked for, however they were given."""
    given = birth.arguments if birth is not None else ()
    sizes = given[0] if _is_tuple(given) else given
    return sizes[0] if sizes and type(sizes[0]) is int else None


def selection(operand: Operand) -> str:
    """The mask or list of numbers that picked an operand's rows, as written: `x[mask]`."""
    nearest = operand.origins[0] if operand.origins else None
    if nearest is None or nearest.operation != "index":
        return ""
    node = ast.parse(nearest.passage.text.strip(), mode="eval").body
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, (ast.Name, ast.Compare)):
        return ""
    return ast.unparse(node.slice)


def _is_tuple(given: tuple[Any, ...]) -> bool:
    return len(given) == 1 and isinstance(given[0], tuple)


def suffixed(passage: Passage, suffix: str) -> tuple[Edit, ...]:
    """The edit that puts a method call behind an expression."""
    if passage.span is None:
        return ()
    return (Edit(passage.place.file, passage.span, applied(passage.text, suffix)),)


def applied(text: str, suffix: str) -> str:
    """An expression with a method call behind it, in parentheses where it needs them."""
    node = ast.parse(text, mode="eval").body
    plain = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    return f"{text}{suffix}" if plain else f"({text}){suffix}"


def unsqueezed(passage: Passage, name: str, argument: str, *, behind: str = "") -> tuple[Edit, ...]:
    """The edits that turn a `squeeze` into another call; an empty name takes it away."""
    node = call_of(passage)
    if node is None or not isinstance(node.func, ast.Attribute):
        return ()
    end, name_end = node.end_col_offset or 0, node.func.end_col_offset or 0
    # What stands before the dot may be in parentheses, which its node does not tell of.
    dot = passage.text.encode().rindex(b".", 0, name_end - len(node.func.attr.encode()))
    if not isinstance(node.func.value, ast.Name) or node.func.value.id != "torch":
        return (_edit(passage, dot, end, f".{name}({argument}){behind}" if name else ""),)
    if not node.args:
        return ()
    inner_end = node.args[0].end_col_offset or 0
    if not name:
        start = node.args[0].col_offset
        return (_edit(passage, 0, start, ""), _edit(passage, inner_end, end, ""))
    tail = f", {argument}){behind}" if argument else f"){behind}"
    return (*renamed(passage, name), _edit(passage, inner_end, end, tail))


def _edit(passage: Passage, start: int, end: int, text: str) -> Edit:
    assert passage.span is not None
    # ast counts bytes, a span counts characters.
    raw = passage.text.encode()
    left, right = (len(raw[:column].decode()) for column in (start, end))
    line, column = passage.span.line, passage.span.column
    return Edit(passage.place.file, Span(line, column + left, line, column + right), text)
