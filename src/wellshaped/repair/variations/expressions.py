"""Other readings of one expression: another dimension, a named squeeze, a step left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.edits import with_change
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

_DIMENSIONS = (0, 1, 2, 3)
# What takes a dimension as its last plain argument, or as `dim`.
_ALONG = frozenset(("cat", "concat", "concatenate", "stack", "softmax", "log_softmax", "unsqueeze"))
# Steps that add or drop dimensions: one that was taken for nothing is the root of what follows.
_RANK = frozenset(("squeeze", "unsqueeze", "expand_dims", "atleast_2d"))
_STEPS = frozenset(("view", "reshape", "flatten", "t", "argmax", "transpose", "permute"))
_MODULES = frozenset(("torch", "np", "numpy", "F"))
_WHOLE = frozenset(("int64", "long"))
_FLOATING = frozenset(("float32", "float", "float64", "double"))
_NARROW = frozenset(("int32", "int16", "int8", "uint8", "int"))


def other_readings(
    node: ast.expr, conflict: Conflict, held: Mapping[str, TensorFact]
) -> Iterator[SmallChange]:
    """What an expression may be meant to be, where that bears on what does not fit.

    `held` are tensors of the function by name, where they are known.
    """
    yield from _other_size(node, held, conflict)
    yield from _named_squeeze(node)
    yield from _left_out(node)
    if conflict.pairs or conflict.ranks:
        yield from _along(node, max(conflict.deepest, 2))
    if conflict.dtypes:
        yield from _other_dtype(node)


def _other_size(
    node: ast.expr, held: Mapping[str, TensorFact], conflict: Conflict
) -> Iterator[SmallChange]:
    """The size of another dimension of the same tensor; one that is as large changes nothing."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=inner, attr="size"), args=[ast.Constant(value=int(at))]
        ):
            for each in _other_dimensions(inner, at, held, conflict):
                yield SmallChange(node, f"{ast.unparse(inner)}.size({each})", "size_index")
        case ast.Subscript(
            value=ast.Attribute(value=inner, attr="shape") as shape,
            slice=ast.Constant(value=int(at)),
        ):
            for each in _other_dimensions(inner, at, held, conflict):
                yield SmallChange(node, f"{ast.unparse(shape)}[{each}]", "size_index")
        case ast.Call(func=ast.Name(id="len"), args=[inner]) if ast.unparse(inner) in held:
            for each in _other_dimensions(inner, 0, held, conflict):
                yield SmallChange(node, f"{ast.unparse(inner)}.size({each})", "size_index")


def _other_dimensions(
    inner: ast.expr, at: int, held: Mapping[str, TensorFact], conflict: Conflict
) -> list[int]:
    fact = held.get(ast.unparse(inner))
    if fact is None:
        return _others(at)[:2]
    sizes = fact.shape
    own = sizes[at] if -len(sizes) <= at < len(sizes) else None
    met = {size for pair in conflict.pairs for size in pair}
    if met and own and own > 1 and all(size % own for size in met):
        return []  # it is no part of a size that does not fit
    return [place for place, size in enumerate(sizes) if size != own]


def _named_squeeze(node: ast.expr) -> Iterator[SmallChange]:
    """A bare squeeze drops whatever has size 1; one by a name drops that."""
    inner = _squeezed(node)
    if inner is not None:
        text = ast.unparse(inner)
        for step in (".squeeze(1)", ".squeeze(-1)", ".flatten(1)", ".flatten()", ".squeeze(0)"):
            yield SmallChange(node, with_change(text, step), "squeeze")


def _squeezed(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="squeeze"), args=[], keywords=[]):
            return inner if getattr(inner, "id", "") not in _MODULES else None
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="torch"), attr="squeeze"),
            args=[inner],
            keywords=[],
        ):
            return inner
    return None


def _left_out(node: ast.expr) -> Iterator[SmallChange]:
    match node:
        case ast.Call(func=ast.Attribute(attr="tensor"), args=[ast.List(elts=[only]), *_]):
            text = ast.unparse(ast.Call(node.func, [only, *node.args[1:]], node.keywords))
            yield SmallChange(node, text, "undone")
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[first, *_]) if (
            name in _MODULES and attr in _RANK
        ):
            yield SmallChange(node, ast.unparse(first), "undone")
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if (
            name in _RANK | _STEPS and getattr(inner, "id", "") not in _MODULES
        ):
            why = "undone" if name in _RANK else "left_out"
            yield SmallChange(node, ast.unparse(inner), why)  # type: ignore[arg-type]
        case ast.Subscript(value=inner, slice=ast.Constant(value=None)):
            yield SmallChange(node, ast.unparse(inner), "undone")


def _others(dimension: int, most: int = 3) -> list[int]:
    return [each for each in _DIMENSIONS if each != dimension and each <= most]


def _along(node: ast.expr, most: int) -> Iterator[SmallChange]:
    """The same call along another dimension; without one it works along 0."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _ALONG:
        return
    named = [each for each in node.keywords if each.arg in ("dim", "axis")]
    if named and isinstance(named[0].value, ast.Constant) and isinstance(named[0].value.value, int):
        for each in _others(named[0].value.value, most):
            rest = [
                ast.keyword(one.arg, ast.Constant(each)) if one is named[0] else one
                for one in node.keywords
            ]
            yield SmallChange(node, ast.unparse(ast.Call(node.func, node.args, rest)), "dimension")
    elif node.args and isinstance(node.args[-1], ast.Constant):
        value = node.args[-1].value
        for each in _others(value, most) if isinstance(value, int) else ():
            changed = ast.Call(node.func, [*node.args[:-1], ast.Constant(each)], node.keywords)
            yield SmallChange(node, ast.unparse(changed), "dimension")
    elif not named and len(node.args) == 1:
        for each in _DIMENSIONS[1 : most + 1]:
            keyword = ast.keyword("dim", ast.Constant(each))
            changed = ast.Call(node.func, node.args, [*node.keywords, keyword])
            yield SmallChange(node, ast.unparse(changed), "dimension")


def _other_dtype(node: ast.expr) -> Iterator[SmallChange]:
    """A dtype by name: whole numbers for class numbers, 64 bits of them, or floating point."""
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
            for other in _dtypes_instead(name):
                yield SmallChange(node, f"{module}.{other}", "dtype")
        case ast.Call(func=ast.Attribute(value=inner, attr="astype" | "type"), args=[only]):
            if isinstance(only, ast.Constant) and isinstance(only.value, str):
                for other in _dtypes_instead(only.value):
                    call = ast.Call(node.func, [ast.Constant(other)], [])
                    yield SmallChange(node, ast.unparse(call), "dtype")
        case ast.Call(func=ast.Attribute(value=inner, attr="float"), args=[]):
            yield SmallChange(node, with_change(ast.unparse(inner), ".long()"), "dtype")
        case ast.Call(func=ast.Attribute(value=inner, attr="long" | "int"), args=[]):
            yield SmallChange(node, with_change(ast.unparse(inner), ".float()"), "dtype")


def _dtypes_instead(name: str) -> tuple[str, ...]:
    if name in _FLOATING:
        return ("int64", "float32") if name in ("float64", "double") else ("int64",)
    if name in _NARROW:
        return ("int64",)
    return ("float32",) if name in _WHOLE else ()
