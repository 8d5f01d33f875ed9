"""Follows a setting back to where its number was written: a default, a constant, a caller."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from wellshaped.records.observation import Origin
from wellshaped.source.code import Function, Source
from wellshaped.source.scope import parameter_names

_DEPTH = 4


def origins_of(
    node: ast.expr, sources: Sequence[Source], *, set_as: str = ""
) -> tuple[Origin, ...]:
    """The expressions a setting gets its number from, the nearest first.

    `set_as` is the name under which the layer was stored: of several callers, the one that
    stores its result there is meant.
    """
    return tuple(_origins(node, sources, set_as, _DEPTH)) if sources else ()


def _origins(
    node: ast.expr, sources: Sequence[Source], set_as: str, depth: int
) -> Iterator[Origin]:
    source = sources[0]
    function = source.function_of(node)
    if depth == 0 or not isinstance(node, (ast.Name, ast.Attribute)):
        return
    if isinstance(node, ast.Attribute):
        for value in _set_on_self(node, function, source):
            yield from _spot("assigned", value, sources, set_as, depth)
    elif function is not None and node.id in parameter_names(function):
        yield from _parameter(node.id, function, sources, set_as, depth)
    else:
        for value in _assigned(node.id, function, source):
            yield from _spot("assigned", value, sources, set_as, depth)


def _spot(
    how: str, value: ast.expr, sources: Sequence[Source], set_as: str, depth: int
) -> Iterator[Origin]:
    yield Origin(how, sources[0].passage(value))
    yield from _origins(value, sources, set_as, depth - 1)


def _parameter(
    name: str, function: Function, sources: Sequence[Source], set_as: str, depth: int
) -> Iterator[Origin]:
    """What the one caller gives; the default where no caller gives anything."""
    calls = [(each, source) for source in sources for each in _calls(function, source, sources[0])]
    stored = [(call, source) for call, source in calls if set_as and _stores(call, source, set_as)]
    given = [
        (value, source)
        for call, source in stored or calls
        if (value := _argument(call, name, function)) is not None
    ]
    if len(given) == 1:
        value, source = given[0]
        others = [source, *(each for each in sources if each is not source)]
        yield from _spot("given", value, others, set_as, depth)
    default = _default(function, name)
    if default is not None and not given:
        yield from _spot("default", default, sources, set_as, depth)


def _calls(function: Function, source: Source, home: Source) -> Iterator[ast.Call]:
    """The calls of a function, or of the class it is the constructor of."""
    above = home.parents.get(function)
    name = getattr(function, "name", "")
    wanted = above.name if name == "__init__" and isinstance(above, ast.ClassDef) else name
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == wanted:
            yield node


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _stores(call: ast.Call, source: Source, name: str) -> bool:
    statement = source.statement_of(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(_last_name(each) == name for each in targets)


def _argument(call: ast.Call, name: str, function: Function) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = parameter_names(function)
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    place = names.index(name) if name in names else len(call.args)
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return None if starred or place >= len(call.args) else call.args[place]


def _default(function: Function, name: str) -> ast.expr | None:
    every = function.args
    plain = [*every.posonlyargs, *every.args]
    found = dict(zip([each.arg for each in plain[::-1]], every.defaults[::-1], strict=False))
    named = zip(every.kwonlyargs, every.kw_defaults, strict=True)
    return (found | {each.arg: value for each, value in named if value is not None}).get(name)


def _set_on_self(node: ast.Attribute, function: Function | None, source: Source) -> list[ast.expr]:
    owner = source.parents.get(function) if function is not None else None
    if not isinstance(owner, ast.ClassDef) or getattr(node.value, "id", "") != "self":
        return []
    return _values(ast.walk(owner), node.attr)


def _assigned(name: str, function: Function | None, source: Source) -> list[ast.expr]:
    """What a name is set to in the function, or else at the top of the file; once, or unsure."""
    inside = _values(ast.walk(function), name) if function is not None else []
    return inside or _values(iter(source.tree.body), name)


def _values(nodes: Iterator[ast.AST], name: str) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Assign):
            found += [value for target, value in _pairs(node) if _last_name(target) == name]
    return found if len(found) == 1 else []


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets and their values: `a = b = 3` gives two, and so does `a, b = 3, 4`."""
    for target in node.targets:
        yield target, node.value
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
