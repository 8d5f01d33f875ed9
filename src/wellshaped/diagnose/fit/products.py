"""When two tensors can be multiplied as matrices, and what stands in the way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from wellshaped.diagnose.edits.call_edits import applied
from wellshaped.diagnose.fit.layers import (
    Layer,
    around,
    changed,
    facts_of,
    named_operands,
    unproven,
)
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage

_RANKS = {"mm": 2, "bmm": 3}


def factors(observation: Observation) -> tuple[Observation, Operand, Operand] | None:
    """The two factors of a matrix product; None when it is none, or a shape is unknown."""
    if observation.kind != "operation" or observation.callee not in ("matmul", "mm", "bmm"):
        return None
    named = named_operands(observation)
    known = [each for each in named.operands if each.fact is not None]
    return (named, known[0], known[1]) if len(known) == 2 else None


def conflict(callee: str, left: tuple[int, ...], right: tuple[int, ...]) -> str:
    """Which of its rules a product breaks: `rank`, `inner`, `batch`; empty when none."""
    rank = _RANKS.get(callee)
    if not left or not right or (rank and (len(left), len(right)) != (rank, rank)):
        return "rank"
    if left[-1] != right[-2 if len(right) > 1 else 0]:
        return "inner"
    rows = zip(left[-3::-1], right[-3::-1], strict=False)
    meet = all(a == b or (rank is None and 1 in (a, b)) for a, b in rows)
    return "" if meet else "batch"


def transposes(
    callee: str, left: tuple[int, ...], right: tuple[int, ...]
) -> Iterator[tuple[int, str]]:
    """The factor (0 or 1) that would fit with its last two axes swapped, and the method."""
    for place, shape in ((1, right), (0, left)):
        if len(shape) < 2:
            continue
        swapped = (*shape[:-2], shape[-1], shape[-2])
        pair = (left, swapped) if place else (swapped, right)
        if not conflict(callee, *pair):
            yield place, ".t()" if len(shape) == 2 else ".transpose(-2, -1)"


def product_facts(named: Observation, left: Operand, right: Operand) -> dict[str, object]:
    """The names and sizes the sentences on a product are filled with."""
    rows = right.shape[-2 if len(right.shape) > 1 else 0] if right.shape else 0
    facts = facts_of(named, left=left.text, right=right.text)
    facts |= {"inner": left.shape[-1] if left.shape else 0, "rows": rows}
    return {**facts, "left_rank": len(left.shape), "right_rank": len(right.shape)}


def product_needs(left: Operand, right: Operand) -> tuple[tuple[str, str], ...]:
    """What two matrices, or stacks of them, have to look like."""
    if min(len(left.shape), len(right.shape)) < 2:
        return ()
    stack = "..., " if len(left.shape) > 2 else ""
    return (left.role, f"({stack}n, m)"), (right.role, f"({stack}m, p)")


def product_repairs(named: Observation, left: Operand, right: Operand) -> tuple[Repair, ...]:
    """Swap the last two axes of the factor that then fits; make a matrix of each row.

    Of two tables of rows, one beside the other, the product of row and row may be meant as well.
    """
    found = transposes(named.callee, left.shape, right.shape)
    roles = (left.role, right.role)
    turned = tuple(changed(named, roles[place], code, "transpose") for place, code in found)
    rows = row_by_row(named.passage, left, right)
    return (*turned[:1], *rows, *turned[1:]) or _as_matrices(named, left, right)


def row_by_row(passage: Passage, left: Operand, right: Operand) -> tuple[Repair, ...]:
    """Each row of one table times the row of the other that stands beside it, added up."""
    span, alike = passage.span, left.shape == right.shape and len(left.shape) == 2
    if span is None or not alike or not (left.passage and right.passage):
        return ()
    factors_text = (applied(each.text, "") for each in (left, right))
    text = f"({' * '.join(factors_text)}).sum(-1)"
    facts = {"left": left.text, "right": right.text}
    return (Repair("rowwise", facts, edits=(Edit(passage.place.file, span, text),)),)


def _as_matrices(named: Observation, left: Operand, right: Operand) -> tuple[Repair, ...]:
    """One vector for each row of the batch, as the matrix with one row or one column it is."""
    for vector, other, axis in ((left, right, 1), (right, left, 2)):
        if named.callee != "bmm" or (len(vector.shape), len(other.shape)) != (2, 3):
            continue
        shape = (*vector.shape[:axis], 1, *vector.shape[axis:])
        pair = (shape, other.shape) if axis == 1 else (other.shape, shape)
        if conflict("bmm", *pair):
            continue
        code, facts = f".unsqueeze({axis})", {"operand": vector.text}
        plain = unproven(named, changed(named, vector.role, code, "matrix"))
        edits = around(named, vector.role, code, f".squeeze({axis})")
        return (plain, Repair("vector", facts, edits=edits))
    return ()


def misfit(layer: Layer) -> tuple[str, str]:
    """Why the last axis is not the features of a Linear, and the method that mends it."""
    shape, wants = layer.input.shape if layer.input else (), layer.size("in_features")
    if wants is None or not shape or shape[-1] == wants:
        return "", ""
    for axis in range(1, len(shape) - 1):
        if prod(shape[axis:]) == wants:
            return "flatten", f".flatten({axis})"
    places = [axis for axis in _feature_axes(layer) if shape[axis] == wants]
    if len(places) == 1:
        swap = ".t()" if len(shape) == 2 else ".transpose(-2, -1)"
        near = places[0] == len(shape) - 2
        return "elsewhere", swap if near else f".movedim({places[0]}, -1)"
    merged = layer.input and layer.input.origin_by("flatten", "view", "reshape", "Flatten")
    if merged and len(shape) > 2 and prod(shape[1:]) % wants == 0:
        return "merged", ""
    return ("flattened", "") if merged and len(shape) == 2 else ("size", "")


def _feature_axes(layer: Layer) -> range:
    """The axes that may be the features: the first is the batch, unless data came in turned."""
    assert layer.input is not None
    raw = not layer.observation.layer and not any(
        birth.operation[:1].isupper() for birth in layer.input.origins
    )
    rank = len(layer.input.shape)
    return range(0 if rank == 2 and raw else 1, rank - 1)


def crossed_product(scores: Operand) -> Origin | None:
    """The product of a table with another one, turned, that made a score for every pair of rows."""
    square = len(scores.shape) == 2 and scores.shape[0] == scores.shape[1] > 1
    birth = scores.origin_by("matmul", "mm") if square else None
    return birth if birth is not None and _turned(birth) is not None else None


def beside_each_other(birth: Origin) -> tuple[Edit, ...]:
    """The edit that multiplies rows with the rows beside them instead."""
    found, span = _turned(birth), birth.passage.span
    if found is None or span is None:
        return ()
    text = " * ".join(applied(ast.unparse(each), "") for each in found)
    return (Edit(birth.passage.place.file, span, f"({text}).sum(-1)"),)


def _turned(birth: Origin) -> tuple[ast.expr, ast.expr] | None:
    """`a` and `b` of `a @ b.t()`, `a @ b.T` and `torch.matmul(a, b.transpose(0, 1))`."""
    span = birth.passage.span
    if span is None or span.line != span.end_line:
        return None
    node = ast.parse(birth.passage.text, mode="eval").body
    if isinstance(node, ast.BinOp):
        left, right = node.left, node.right
    elif isinstance(node, ast.Call) and len(node.args) == 2:
        left, right = node.args
    else:
        return None
    if isinstance(right, ast.Attribute) and right.attr in ("T", "mT"):
        return left, right.value
    if isinstance(right, ast.Call) and isinstance(right.func, ast.Attribute):
        return (left, right.func.value) if right.func.attr in ("t", "transpose") else None
    return None
