"""Edits of single expressions: what stands in the source, and what it becomes."""

from __future__ import annotations

import ast
from dataclasses import replace

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage, Place, Span

# What may take a method call without parentheses around it.
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple)


def with_text_edits(repair: Repair, observation: Observation) -> Repair:
    """The repair with the text edits that make its changes; none where there is no source."""
    if repair.edits:
        return repair
    edits = []
    for change in repair.changes:
        operand = observation.operand(change.role)
        edit = _edit(operand, change.suffix) if operand else None
        if edit is None:
            return repair
        edits.append(edit)
    return replace(repair, edits=tuple(edits))


def at_caller(repair: Repair, observation: Observation) -> Repair | None:
    """The same change in the call of the function, where one operand is its parameter."""
    operand = observation.operand(repair.changes[0].role) if len(repair.changes) == 1 else None
    suffix = repair.changes[0].suffix if operand else ""
    if operand is None or operand.given is None or not suffix.startswith((".", "[")):
        return None
    edit = _edit(replace(operand, passage=operand.given), suffix)
    return replace(repair, changes=(), edits=(edit,)) if edit else None


def _edit(operand: Operand, suffix: str) -> Edit | None:
    passage = operand.passage
    if passage is None or passage.span is None:
        return None
    return Edit(passage.place.file, passage.span, with_change(passage.text, suffix))


def with_change(text: str, suffix: str) -> str:
    """An expression with a method call after it, in parentheses where it needs them."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f"({text}){suffix}"
    if suffix.startswith((".", "[")):
        return f"{text}{suffix}" if isinstance(node, _ATOMS) else f"({text}){suffix}"
    return suffix


def passage_of(edit: Edit, text: str) -> Passage:
    """What an edit replaces, with the lines that it stands in."""
    span, lines = edit.span, text.splitlines()
    shown = tuple((number, lines[number - 1]) for number in range(span.line, span.end_line + 1))
    return Passage(Place(edit.file, span.line, ""), span, _text_of(span, shown), shown)


def _text_of(span: Span, lines: tuple[tuple[int, str], ...]) -> str:
    return lines[0][1][span.column : span.end_column] if len(lines) == 1 else ""
