"""Edits that give a setting another number: where it stands, or where it comes from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from wellshaped.diagnose.edits.call_edits import call_of, part_text, replaced
from wellshaped.records.observation import Operand
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage

_NUMBERS = re.compile(r"[\d\s*+/()-]+")
_MAKING = ("zeros", "ones", "randn", "rand", "empty")
_OUTPUTS = ("out_features", "out_channels", "embedding_dim")


def resized(written: Operand | None, held: int | None, value: int) -> tuple[tuple[Edit, ...], ...]:
    """The ways to write the number, those that read as the author's own first.

    `held` is the number the setting has now. A number in place; a multiple or a part of the
    expression in place; the same where the name comes from; last the number instead of a name.
    """
    if written is None or written.passage is None:
        return ()
    texts = [(written.passage, text) for text in _rewritten(written.text, held, value)]
    for birth in written.origins:
        texts += [(birth.passage, text) for text in _rewritten(birth.passage.text, held, value)]
    texts.append((written.passage, str(value)))
    edits = (_edit(passage, text) for passage, text in texts)
    return tuple(dict.fromkeys((each,) for each in edits if each is not None))


def output_of(operand: Operand | None) -> tuple[Operand, int] | None:
    """The setting that gave an operand its features, and its number; the nearest layer's.

    A model that returns several tensors has a last layer for each: the one counts that has as
    many outputs as the operand has features.
    """
    found = [
        (setting, birth.options[setting.role])
        for birth in (operand.origins[:8] if operand else ())
        for setting in birth.settings
        if setting.role in _OUTPUTS and type(birth.options.get(setting.role)) is int
    ]
    sizes = operand.shape[1:] if operand else ()
    return next((each for each in found if each[1] in sizes), found[0] if found else None)


def resized_table(operand: Operand, axis: int, value: int) -> tuple[tuple[Edit, ...], ...]:
    """The ways to write one size of a parameter where its tensor is made: `zeros(1, n, width)`."""
    made = [each for each in operand.origins[:2] if each.operation in _MAKING]
    node = call_of(made[0].passage) if len(made) == 1 else None
    if node is None or operand.origins[0].operation not in ("Parameter", *_MAKING):
        return ()
    first = node.args[0] if node.args else None
    parts = first.elts if isinstance(first, (ast.Tuple, ast.List)) else node.args
    if len(parts) != len(operand.shape):
        return ()
    text, held = part_text(made[0].passage, parts[axis]), operand.shape[axis]
    texts = dict.fromkeys((*_rewritten(text, held, value), str(value)))
    return tuple((replaced(made[0].passage, parts[axis], each),) for each in texts)


def _rewritten(text: str, held: int | None, value: int) -> Iterator[str]:
    if _NUMBERS.fullmatch(text):
        yield str(value)
        return
    node = _parsed(text)
    if node is None or not held:
        return
    yield from _parts(node, held, value)
    if value == held + 1:
        yield f"{text} + 1"
    if value % held == 0 and value > held:
        yield _multiple(node, value // held)


def _parts(node: ast.expr, held: int, value: int) -> Iterator[str]:
    """One side of a sum or product with a number, where that side alone is the value."""
    if not isinstance(node, ast.BinOp):
        return
    for side, number in ((node.left, node.right), (node.right, node.left)):
        if isinstance(number, ast.Constant) and type(number.value) is int:
            known = _solved(node, number.value, held, first=side is node.left)
            if known == value:
                yield ast.unparse(side)


def _solved(node: ast.BinOp, number: int, held: int, *, first: bool) -> int | None:
    """The value of the side that is not the number, when the whole is `held`."""
    if isinstance(node.op, ast.Add):
        return held - number
    if isinstance(node.op, ast.Mult):
        return held // number if number and held % number == 0 else None
    if isinstance(node.op, ast.Sub):
        return held + number if first else number - held
    if isinstance(node.op, ast.FloorDiv) and first:
        return held * number
    return None


def _multiple(node: ast.expr, times: int) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for place, side in (("right", node.right), ("left", node.left)):
            if isinstance(side, ast.Constant) and type(side.value) is int:
                grown = ast.Constant(side.value * times)
                sides = {"left": node.left, "right": node.right, place: grown}
                return ast.unparse(ast.BinOp(sides["left"], node.op, sides["right"]))
    return ast.unparse(ast.BinOp(ast.Constant(times), ast.Mult(), node))


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _edit(passage: Passage, text: str) -> Edit | None:
    if passage.span is None or text == passage.text:
        return None
    return Edit(passage.place.file, passage.span, text)


def rebuilt_output(operand: Operand, axis: int, value: int) -> tuple[Repair, ...]:
    """The layer an operand comes from, with as many outputs, if the axis is that of outputs."""
    found = output_of(operand)
    if found is None:
        return ()
    setting, held = found
    place = 1 if setting.role == "out_channels" else len(operand.shape) - 1
    if axis != place or held != operand.shape[axis]:
        return ()
    facts = {"setting": setting.role, "value": value}
    return tuple(Repair("rebuild", facts, (), each) for each in resized(setting, held, value))
