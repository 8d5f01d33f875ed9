"""What an edit does to tensors, read from its text: moves that keep every element, and others.

A *move* is one difference between two sources. Some keep every element of every tensor whatever
the sizes are: dimensions of size 1 come or go, a size is read from a tensor. All others choose,
drop or invent something, and are for the user to pick.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from wellshaped.records.repair import Move, MoveKind

_LAYOUT = frozenset(
    (
        *(
            "unsqueeze",
            "squeeze",
            "flatten",
            "unflatten",
            "view",
            "reshape",
            "transpose",
            "permute",
        ),
        *("movedim", "moveaxis", "swapaxes", "swapdims", "t", "contiguous", "T", "mT"),
        *("view_as", "reshape_as"),
    )
)
_DTYPE = frozenset(
    ("float", "double", "half", "bfloat16", "long", "int", "bool", "to", "type", "type_as")
)
_BY_NAME: dict[str, MoveKind] = {
    "pad": "pad",
    "pad_sequence": "pad",
    "interpolate": "resize",
    "resize": "resize",
    "adaptive_avg_pool1d": "resize",
    "adaptive_avg_pool2d": "resize",
    "AdaptiveAvgPool2d": "resize",
    "argmax": "argmax",
    "one_hot": "one_hot",
    "expand": "repeat",
    "expand_as": "repeat",
    "repeat": "repeat",
    "repeat_interleave": "repeat",
    "tile": "repeat",
    "broadcast_to": "repeat",
    "narrow": "slice",
    "select": "slice",
    "gather": "slice",
    "mean": "reduce",
    "sum": "reduce",
    "amax": "reduce",
    "max": "reduce",
}
_DIMS = frozenset(("dim", "axis", "dims"))


def moves_between(before: str, after: str) -> tuple[Move, ...]:
    """The moves that lead from one source to the other; both must parse."""
    return tuple(_differing(ast.parse(before), ast.parse(after)))


def _differing(old: ast.AST, new: ast.AST) -> Iterator[Move]:
    if _same(old, new):
        return
    if isinstance(old, ast.expr) and isinstance(new, ast.expr):
        yield from _of_expressions(old, new)
    elif type(old) is not type(new):
        yield _move("other", old, new)
    else:
        yield from _of_parts(old, new)


def _of_expressions(old: ast.expr, new: ast.expr) -> Iterator[Move]:
    """A known move of the whole expression, or those of its parts."""
    kind = _chain_kind(old, new) or _size_kind(old, new) or _wrapped_kind(old, new)
    if kind is not None:
        yield _move(kind, old, new)
    elif (inside := _rearranged_call(old, new)) is not None:
        yield _move("layout", old, new)
        yield from _of_calls(*inside)
    elif isinstance(old, ast.Call) and isinstance(new, ast.Call):
        yield from _of_calls(old, new)
    elif isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
        yield _move("number", old, new)
    elif type(old) is type(new):
        yield from _of_parts(old, new)
    else:
        yield _move(_kind_of_new(new), old, new)


def _rearranged_call(old: ast.expr, new: ast.expr) -> tuple[ast.Call, ast.Call] | None:
    """The same function called with other arguments, and its result rearranged: both calls."""
    one, before = _peeled(old)
    other, after = _peeled(new)
    if not isinstance(one, ast.Call) or not isinstance(other, ast.Call) or before == after:
        return None
    return (one, other) if _same(one.func, other.func) else None


def _of_parts(old: ast.AST, new: ast.AST) -> Iterator[Move]:
    for name in old._fields:
        one, other = getattr(old, name, None), getattr(new, name, None)
        if isinstance(one, list) and isinstance(other, list):
            yield from _of_lists(one, other, old, new)
        elif isinstance(one, ast.AST) and isinstance(other, ast.AST):
            yield from _differing(one, other)
        elif one is not other and one != other:
            yield _move("other", old, new)


def _of_lists(
    one: Sequence[ast.AST], other: Sequence[ast.AST], old: ast.AST, new: ast.AST
) -> Iterator[Move]:
    if len(one) == len(other):
        for before, after in zip(one, other, strict=True):
            yield from _differing(before, after)
    elif all(isinstance(each, ast.stmt) for each in (*one, *other)):
        yield from _of_statements(one, other)
    else:
        yield _move("other", old, new)


def _of_statements(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> Iterator[Move]:
    """Statements that came or went, between those that stayed at either end."""
    start = 0
    while start < min(len(one), len(other)) and _same(one[start], other[start]):
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and _same(one[-1 - end], other[-1 - end]):
        end += 1
    gone, come = one[start : len(one) - end], other[start : len(other) - end]
    for each in come:
        yield Move(_statement_kind(each) if not gone else "other", "", ast.unparse(each))
    for each in gone:
        yield Move("other", ast.unparse(each), "")


def _statement_kind(node: ast.AST) -> MoveKind:
    """`x = x.squeeze(1)` as a statement of its own is the move that it makes."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
        if isinstance(target, ast.expr):
            loaded = ast.parse(ast.unparse(target), mode="eval").body
            return _chain_kind(loaded, value) or "other"
    return "other"


def _of_calls(old: ast.Call, new: ast.Call) -> Iterator[Move]:
    if not _same(old.func, new.func):
        yield from _of_functions(old, new)
        return
    if len(old.args) != len(new.args):
        yield _move(_arguments_kind(old, new), old, new)
        return
    for before, after in zip(old.args, new.args, strict=True):
        yield from _differing(before, after)
    yield from _of_keywords(old, new)


def _of_functions(old: ast.Call, new: ast.Call) -> Iterator[Move]:
    names = (_name(old.func), _name(new.func))
    if names in (("view", "reshape"), ("reshape", "view")):
        yield _move("layout", old, new)
    elif isinstance(old.func, ast.Attribute) and isinstance(new.func, ast.Attribute):
        if old.func.attr == new.func.attr:
            yield from _differing(old.func.value, new.func.value)
            for before, after in zip(old.args, new.args, strict=False):
                yield from _differing(before, after)
        else:
            yield _move(_BY_NAME.get(new.func.attr, "callee"), old, new)
    else:
        yield _move(_BY_NAME.get(names[1], "callee"), old, new)


def _of_keywords(old: ast.Call, new: ast.Call) -> Iterator[Move]:
    before = {each.arg: each.value for each in old.keywords}
    after = {each.arg: each.value for each in new.keywords}
    for name in {**before, **after}:
        one, other = before.get(name), after.get(name)
        if one is not None and other is not None:
            if name in _DIMS and not _same(one, other):
                yield _move("dim", old, new)
            else:
                yield from _differing(one, other)
        else:
            yield _move(_keyword_kind(name, other), old, new)


def _keyword_kind(name: str | None, value: ast.expr | None) -> MoveKind:
    if name in ("keepdim", "keepdims") and isinstance(value, ast.Constant) and value.value is True:
        return "keepdim"
    if name == "dtype" and value is not None:
        return "dtype"
    return "dim" if name in _DIMS else "option"


def _arguments_kind(old: ast.Call, new: ast.Call) -> MoveKind:
    """Another number of arguments: of a layout the sizes, of a `squeeze` the dimension."""
    return "layout" if _name(old.func) in _LAYOUT and _name(new.func) in _LAYOUT else "option"


def _chain_kind(old: ast.expr, new: ast.expr) -> MoveKind | None:
    """The kind of what was put after an expression, or taken from its end."""
    one, before = _peeled(old)
    other, after = _peeled(new)
    if not _same(one, other) or not (before or after):
        return None
    changed = set(before) ^ set(after)
    names = {each.partition("(")[0] for each in changed} or {"view"}
    return "dtype" if names <= _DTYPE else "layout"


def _peeled(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """What an expression rearranges, without the rearranging, and the names of its steps."""
    steps: list[str] = []
    while True:
        step = _step(node)
        if step is None:
            return node, steps
        node, text = step
        steps.append(text)


def _step(node: ast.expr) -> tuple[ast.expr, str] | None:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _LAYOUT | _DTYPE:
            given = ", ".join(ast.unparse(each) for each in (*node.args, *node.keywords))
            return inner, f"{name}({given})"
        case ast.Attribute(value=inner, attr="T" | "mT"):
            return inner, node.attr
        case ast.Subscript(value=inner, slice=index) if _keeps_all(index):
            return inner, f"view([{ast.unparse(index)}])"
    return None


def _keeps_all(index: ast.expr) -> bool:
    """Whether an index only adds dimensions: `[:, None]`."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    full = ast.dump(ast.Slice())
    return any(_is_none(each) for each in parts) and all(
        _is_none(each) or ast.dump(each) == full or _is_ellipsis(each) for each in parts
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _size_kind(old: ast.expr, new: ast.expr) -> MoveKind | None:
    """Whether a size is read from a tensor now, or from another dimension of the same tensor."""
    one, other = _size_read(old), _size_read(new)
    if other is None:
        minus = isinstance(old, ast.Constant | ast.Name | ast.Attribute) and _is_minus_one(new)
        return "row_count" if minus else None
    if one is None:
        simple = isinstance(old, ast.Constant | ast.Name | ast.Attribute)
        return "row_count" if simple and other[1] == "0" else None
    return "size_index" if one[0] == other[0] else None


def _size_read(node: ast.expr) -> tuple[str, str] | None:
    """The tensor and the dimension whose size an expression is: `x.size(0)`, `x.shape[0]`."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[place]):
            return ast.unparse(inner), ast.unparse(place)
        case ast.Subscript(value=ast.Attribute(value=inner, attr="shape"), slice=place):
            return ast.unparse(inner), ast.unparse(place)
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return ast.unparse(inner), "0"
    return None


def counts_rows(move: Move) -> bool:
    """Whether only the first size of a view is another one now: inferred, or read from a tensor."""
    try:
        old, new = (ast.parse(text, mode="eval").body for text in (move.before, move.after))
    except SyntaxError:  # a statement
        return False
    if (
        not isinstance(old, ast.Call)
        or not isinstance(new, ast.Call)
        or not _same(old.func, new.func)
    ):
        return False
    if _name(new.func) not in ("view", "reshape") or len(old.args) != len(new.args) or not new.args:
        return False
    rest = zip(old.args[1:], new.args[1:], strict=True)
    rows = new.args[0]
    return all(_same(*pair) for pair in rest) and (
        _is_minus_one(rows) or _size_read(rows) is not None
    )


def _is_minus_one(node: ast.expr) -> bool:
    return ast.unparse(node) == "-1"


def _wrapped_kind(old: ast.expr, new: ast.expr) -> MoveKind | None:
    """The kind of a call, or an index, that was put around an expression or after it."""
    inner = _inner(new)
    while inner is not None:
        if _same(old, inner):
            return _kind_of_new(new)
        inner = _inner(inner)
    return None


def _inner(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="torch" | "F" | "nn")), args=[first, *_]
        ):
            return first
        case ast.Call(func=ast.Attribute(value=value)):
            return value
        case ast.Call(args=[first, *_]):
            return first
        case ast.Subscript(value=value) | ast.Attribute(value=value):
            return value
    return None


def _kind_of_new(node: ast.expr) -> MoveKind:
    """What a new expression does, by the outermost step that is no mere layout."""
    base, _ = _peeled(node)
    if isinstance(base, ast.Subscript):
        return "slice"
    if isinstance(base, ast.Call):
        return _BY_NAME.get(_name(base.func), "callee")
    return "number" if isinstance(base, ast.Constant) else "other"


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _same(one: ast.AST, other: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(other)


def _move(kind: MoveKind, old: ast.AST, new: ast.AST) -> Move:
    return Move(kind, _text(old), _text(new))


def _text(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except (ValueError, AttributeError):
        return ""
