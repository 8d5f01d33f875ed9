"""Where the source gives a name its value: assignments, loops, and what a function returns."""

from __future__ import annotations

import ast

import torch

from wellshaped.source.code import Function
from wellshaped.source.scope import Scope


def assignment(node: ast.Name, scope: Scope) -> ast.expr | None:
    """The expression last assigned to a name before this use of it, in the same function."""
    statement = scope.source.statement_of(node)
    here = statement.lineno if statement else node.lineno
    best: ast.expr | None = None
    body = scope.function if scope.function is not None else scope.source.tree
    for candidate in ast.walk(body):
        if isinstance(candidate, (ast.Assign, ast.AnnAssign)) and candidate is not statement:
            if scope.source.function_of(candidate) is not scope.function:
                continue
            value = _assigned(candidate, node.id)
            later = best is None or candidate.lineno > best.lineno
            if value is not None and candidate.lineno <= here and later:
                best = value
    return best


def _assigned(statement: ast.Assign | ast.AnnAssign, name: str) -> ast.expr | None:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        if statement.value is not None and (found := _unpacked(target, statement.value, name)):
            return found
    return None


def _unpacked(target: ast.expr, value: ast.expr, name: str) -> ast.expr | None:
    """The part of a value that a name gets; the whole where the parts are not written out."""
    if isinstance(target, ast.Name):
        return value if target.id == name else None
    if not isinstance(target, (ast.Tuple, ast.List)):
        return None
    same = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
    for place, part in enumerate(target.elts):
        given = value.elts[place] if same and isinstance(value, ast.Tuple) else value
        if (found := _unpacked(part, given, name)) is not None:
            return found
    return None


def loop_source(node: ast.Name, scope: Scope) -> ast.expr | None:
    body = scope.function if scope.function is not None else scope.source.tree
    for loop in ast.walk(body):
        if isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)):
            names = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
            if node.id in names:
                return loop.iter
    return None


def returned(function: Function) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    found = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    return [part for value in found for part in _first_of_tuple(value)]


def _first_of_tuple(value: ast.expr) -> list[ast.expr]:
    return list(value.elts) if isinstance(value, ast.Tuple) else [value]


def _is_moved(stored: ast.Name, scope: Scope) -> bool:
    """Whether a name is only given itself on a device: `x, y = x.to(device), y.to(device)`."""
    statement = scope.source.statement_of(stored)
    value = _assigned(statement, stored.id) if isinstance(statement, ast.Assign) else None
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="to" | "cuda" | "cpu")):
            dtypes = [each for each in value.args if isinstance(scope.value(each), torch.dtype)]
            named = any(each.arg == "dtype" for each in value.keywords)
            return name == stored.id and not dtypes and not named
    return False


def is_set_anew(node: ast.Name, scope: Scope) -> bool:
    """Whether a name may have had another value where it stands than it has at the end."""
    body = scope.function if scope.function is not None else scope.source.tree
    stores = [
        each
        for each in ast.walk(body)
        if isinstance(each, ast.Name) and each.id == node.id and isinstance(each.ctx, ast.Store)
    ]
    own = [
        each
        for each in stores
        if scope.source.function_of(each) is scope.function and not _is_moved(each, scope)
    ]
    return len(own) > (0 if scope.parameter(node.id) else 1)


def part_of(value: object, node: ast.Name, assigned: ast.expr, scope: Scope) -> object:
    """What a name gets of a value that its assignment takes apart."""
    statement = scope.source.parents.get(assigned)
    if not isinstance(statement, ast.Assign) or statement.value is not assigned:
        return value
    for target in statement.targets:
        for place in _places(target, node.id):
            for index in place:
                value = value[index] if isinstance(value, tuple) else None
            return value
    return value


def _places(target: ast.expr, name: str) -> list[tuple[int, ...]]:
    """The ways into a target that lead to a name."""
    if isinstance(target, ast.Name):
        return [()] if target.id == name else []
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    return [
        (place, *rest) for place, part in enumerate(target.elts) for rest in _places(part, name)
    ]
