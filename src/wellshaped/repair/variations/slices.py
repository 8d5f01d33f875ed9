"""Other cuts of a tensor, and other counts: one entry more or less, one entry and not a range."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.edits import with_change
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

_MOST_SHIFTED = 2
_MOST_ADDED = 8


def other_cuts(node: ast.expr, conflict: Conflict) -> Iterator[SmallChange]:
    """A cut with another end, where sizes differ by little; an entry or a range of one."""
    if not isinstance(node, ast.Subscript):
        return
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for place, part in enumerate(parts):
        for other in (*_shifted(part, conflict), *_of_one(part, conflict)):
            cut = [other if at == place else each for at, each in enumerate(parts)]
            inner = cut[0] if len(cut) == 1 else ast.Tuple(cut, ast.Load())
            text = ast.unparse(ast.Subscript(node.value, inner, ast.Load()))
            yield SmallChange(node, text, "slice")
    yield from _table(node, conflict)


def _shifted(part: ast.expr, conflict: Conflict) -> Iterator[ast.expr]:
    """The same range without its last or first entries, or with one that it leaves out."""
    apart = {abs(a - b) for a, b in conflict.pairs}
    if not isinstance(part, ast.Slice) or part.step is not None:
        return
    for by in sorted(each for each in apart if each <= _MOST_SHIFTED):
        if part.upper is None:
            yield ast.Slice(part.lower, ast.Constant(-by))
        elif ast.unparse(part.upper) == f"-{by}":
            yield ast.Slice(part.lower, None)
        if part.lower is None:
            yield ast.Slice(ast.Constant(by), part.upper)
        elif ast.unparse(part.lower) == str(by):
            yield ast.Slice(None, part.upper)


def _of_one(part: ast.expr, conflict: Conflict) -> Iterator[ast.expr]:
    """`2:` as `2`, and `-1` as `-1:`, where numbers of dimensions differ."""
    if not conflict.ranks:
        return
    match part:
        case ast.Slice(lower=ast.expr() as lower, upper=None) if _is_number(lower):
            yield lower
        case ast.Slice(lower=ast.expr() as lower, upper=ast.expr() as upper) if _is_number(
            lower
        ) and ast.unparse(upper) == str(int(ast.unparse(lower)) + 1):
            yield lower
        case _ if _is_number(part):
            end = None if ast.unparse(part) == "-1" else int(ast.unparse(part)) + 1
            yield ast.Slice(part, None if end is None else ast.Constant(end))


def _is_number(node: ast.expr) -> bool:
    return ast.unparse(node).lstrip("-").isdigit()


def _table(node: ast.Subscript, conflict: Conflict) -> Iterator[SmallChange]:
    """A table with time first, cut to the rows of tensors that have the batch first."""
    match node.slice:
        case ast.Slice(lower=None, upper=ast.expr() as upper) if conflict.pairs:
            rows = _rows_of(upper)
            if rows is not None:
                text = f"{ast.unparse(node.value)}[:{ast.unparse(rows)}.size(1)].transpose(0, 1)"
                yield SmallChange(node, text, "slice")


def _rows_of(node: ast.expr) -> ast.expr | None:
    match node:
        case (
            ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[ast.Constant(value=0)])
            | ast.Subscript(
                value=ast.Attribute(value=inner, attr="shape"), slice=ast.Constant(value=0)
            )
        ):
            return inner
    return None


def other_counts(
    node: ast.expr, conflict: Conflict, held: Mapping[str, TensorFact]
) -> Iterator[SmallChange]:
    """A count that leaves some out, and one of the classes that happen to be there."""
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return
    short = {each.other.size - each.one.size for each in conflict.meetings if _is_count(each)}
    if last_name(node.func) == "len":
        for more in sorted(each for each in short if 0 < each <= _MOST_ADDED):
            yield SmallChange(node, f"{ast.unparse(node)} + {more}", "count")
    yield from _of_classes(node, conflict, held)


def _is_count(meeting: object) -> bool:
    """Whether numbers ask for more entries than there are."""
    one, other = meeting.sides  # type: ignore[attr-defined]
    return other.dim is None and (one.dim is not None or one.name == "num_embeddings")


def _of_classes(
    node: ast.Call, conflict: Conflict, held: Mapping[str, TensorFact]
) -> Iterator[SmallChange]:
    sizes = {size for pair in conflict.pairs for size in pair}
    name, text = last_name(node.func), ast.unparse(node)
    scores = [each for each, fact in held.items() if len(fact.shape) > 1 and fact.shape[1] in sizes]
    option = {"bincount": "minlength", "one_hot": "num_classes"}.get(name)
    for each in scores[:1]:
        size = f"{each}.shape[1]"
        if name == "unique" and isinstance(node.func, ast.Attribute) and not node.keywords:
            made = ast.unparse(node.func.value)
            yield SmallChange(node, f"{made}.arange({size})", "count")
        elif option and not node.keywords:
            yield SmallChange(node, f"{text[:-1]}, {option}={size})", "count")


def to_classes(node: ast.expr, conflict: Conflict, classes: int | None) -> Iterator[SmallChange]:
    """Labels with an entry for each class that were flattened, as class numbers."""
    flat = ("view(-1)", "reshape(-1)", "flatten()")
    if classes and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        many = any(max(pair) == classes * min(pair) for pair in conflict.rows)
        if many and ast.unparse(node).endswith(flat):
            inner = ast.unparse(node.func.value)
            yield SmallChange(node, with_change(inner, ".argmax(-1)"), "argmax")
