"""The numbers a tensor is made with, as they are written, and the tensors beside it that have rows.

`torch.ones(batch_size, 1)` has the rows that a name says, whatever the batch at hand has. Each
such number is kept with the other places that use it to make tensors for the same batch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import torch

from wellshaped.records.observation import HardcodedRows
from wellshaped.source.code import Function
from wellshaped.source.scope import Scope, parameter_names

MAKING = frozenset(
    ("ones", "zeros", "full", "empty", "eye", "arange", "rand", "randn", "randint", "tensor")
)
_PLACES = {"full": (0,), "randint": (2,)}
_MOST_BESIDE = 4


def counts_of(node: ast.Call, scope: Scope) -> tuple[HardcodedRows, ...]:
    """The numbers that a tensor is made with, each as a name that stands in several places."""
    found = []
    for part in _numbers(node):
        value = scope.value(part)
        beside = tuple(_beside(node, scope))
        if type(value) is int and beside:
            alike = tuple(scope.source.passage(each) for each in _alike(part, scope))
            found.append(HardcodedRows(value, alike, beside))
        elif type(value) is int:
            found += _ahead(part, value, scope)
    return tuple(found)


def _ahead(part: ast.expr, value: int, scope: Scope) -> Iterator[HardcodedRows]:
    """Of tensors that are made before a loop: where it uses them, and the tensors that it draws."""
    if _loop_of(part, scope) is not None:
        return
    names = {name for each in (part, *_alike(part, scope)) for name in _stored(each, scope)}
    body = scope.function if scope.function is not None else scope.source.tree
    for loop in ast.walk(body):
        if not isinstance(loop, (ast.For, ast.AsyncFor)) or loop.lineno < part.lineno:
            continue
        drawn = (each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name))
        beside = tuple(_with_rows(drawn, scope))
        uses = [each for each in ast.walk(loop) if isinstance(each, ast.Name) and each.id in names]
        set_anew = any(isinstance(each.ctx, ast.Store) for each in uses)
        if beside and uses and not set_anew:
            yield HardcodedRows(value, tuple(map(scope.source.passage, uses)), beside, ahead=True)
            return


def _stored(part: ast.expr, scope: Scope) -> Iterator[str]:
    """The name that a statement gives to what it makes of a number as its rows."""
    statement = scope.source.statement_of(part)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name) and scope.source.function_of(statement) is scope.function:
            yield target.id


def _numbers(node: ast.Call) -> Iterator[ast.Name | ast.Attribute | ast.Constant]:
    """The names and plain numbers in the sizes of a call that makes a tensor."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    sizes = [each for each in node.args if not isinstance(each, ast.Starred)]
    if name in _PLACES:
        sizes = [sizes[place] for place in _PLACES[name] if place < len(sizes)]
    sizes += [each.value for each in node.keywords if each.arg == "size"]
    for size in sizes:
        yield from _written(size)


def _written(node: ast.expr) -> Iterator[ast.Name | ast.Attribute | ast.Constant]:
    if isinstance(node, (ast.Name, ast.Attribute, ast.Constant)):
        yield node
    elif isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _written(part)
    elif isinstance(node, ast.BinOp):
        for part in (node.left, node.right):
            yield from (each for each in _written(part) if not isinstance(each, ast.Constant))


def _alike(part: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The number itself, and its name wherever tensors are made of it in the function or loop."""
    yield part
    if isinstance(part, ast.Constant):
        return
    body = _loop_of(part, scope) or scope.function or scope.source.tree
    for each in ast.walk(body):
        same = isinstance(each, type(part)) and ast.dump(each) == ast.dump(part)
        statement = scope.source.statement_of(each) if same and each is not part else None
        own = statement is not None and scope.source.function_of(statement) is scope.function
        if own and isinstance(each, ast.expr) and _makes(statement, part):
            yield each


def _makes(statement: ast.stmt | None, part: ast.expr) -> bool:
    """Whether a plain statement makes a tensor of a number."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)):
        return False
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    made = (each for each in calls if getattr(each.func, "attr", "") in MAKING)
    return any(ast.dump(each) == ast.dump(part) for call in made for each in _numbers(call))


def _beside(node: ast.Call, scope: Scope) -> Iterator[tuple[str, int]]:
    """The tensors with rows that have a name before the call: handed in first, then made."""
    names = dict.fromkeys((*_handed(node, scope), *_assigned(node, scope)))
    yield from _with_rows(names, scope)


def _with_rows(names: Iterable[str], scope: Scope) -> list[tuple[str, int]]:
    """Those of the names that are tensors with rows, the first of them."""
    found = ((name, scope.names.get(name)) for name in names)
    rows = [(name, len(each)) for name, each in found if torch.is_tensor(each) and each.dim() > 0]
    return rows[:_MOST_BESIDE]


def _handed(node: ast.AST, scope: Scope) -> Iterator[str]:
    """The names that loops around a node give to what they draw, and the function's parameters."""
    above = scope.source.parents.get(node)
    while above is not None and above is not scope.function:
        if isinstance(above, (ast.For, ast.AsyncFor)):
            yield from (each.id for each in ast.walk(above.target) if isinstance(each, ast.Name))
        above = scope.source.parents.get(above)
    if scope.function is not None:
        yield from parameter_names(scope.function)


def _assigned(node: ast.expr, scope: Scope) -> Iterator[str]:
    """The names that are given a value before a node, in its loop or its function."""
    body = _loop_of(node, scope) or scope.function
    for each in ast.walk(body) if body is not None else ():
        stored = isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        if stored and isinstance(each, ast.Name) and each.lineno < node.lineno:
            yield each.id


def _loop_of(node: ast.AST, scope: Scope) -> ast.AST | None:
    """The nearest loop around a node, in the same function."""
    above = scope.source.parents.get(node)
    while above is not None and not isinstance(above, (ast.For, ast.AsyncFor, ast.While, Function)):
        above = scope.source.parents.get(above)
    return None if isinstance(above, Function) else above
