"""Finds, in the source, the call that built a module: where its settings were written down."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch

from wellshaped.records.observation import Operand
from wellshaped.source.code import Function, Source
from wellshaped.source.scope import Scope, parameter_names
from wellshaped.source.settings import origins_of
from wellshaped.source.values import UNKNOWN, resolve


def constructed(
    module: torch.nn.Module, scope: Scope | None, node: ast.AST | None, path: str
) -> tuple[Operand, ...]:
    """The settings of a module as expressions, and the whole call as `built`; empty if unsure.

    `node` is the failing call and `path` where the module is inside the one that was called.
    """
    sources = list(_sources(scope))
    for source in sources:
        found = _candidates(module, source)
        within = [each for each in found if _is_set_as(each, node, source)]
        call = _only(within or found, source, path)
        if call is not None:
            others = [each for each in sources if each is not source]
            return settings_of_call(call, type(module), (source, *others), _called_as(node))
    return ()


def settings_of_call(
    call: ast.Call, kind: type, sources: Sequence[Source], set_as: str = ""
) -> tuple[Operand, ...]:
    """The arguments of a constructor, as operands without tensors; its own source comes first.

    Their births are the places their numbers come from.
    """
    source = sources[0]
    found = [Operand("built", None, source.passage(call))]
    for name, each in _bound(call, kind).items():
        origins = origins_of(each, sources, set_as=set_as)
        found.append(Operand(name, None, source.passage(each), origins))
    return tuple(found)


def _sources(scope: Scope | None) -> Iterator[Source]:
    seen: set[str] = set()
    while scope is not None:
        if scope.source.file not in seen:
            seen.add(scope.source.file)
            yield scope.source
        scope = scope.caller


def _candidates(module: torch.nn.Module, source: Source) -> list[ast.Call]:
    """The calls of its class whose arguments, where they can be read, are its settings."""
    constants = _constants(source)
    name = type(module).__name__
    calls = (each for each in ast.walk(source.tree) if isinstance(each, ast.Call))
    named = (each for each in calls if _callee(each) == name)
    return [each for each in named if _agrees(each, module, source, constants)]


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _agrees(
    call: ast.Call, module: torch.nn.Module, source: Source, constants: Mapping[str, Any]
) -> bool:
    function = source.function_of(call)
    own = _local_names(function) if function is not None else set()
    known = {name: value for name, value in constants.items() if name not in own}
    for name, expression in _bound(call, type(module)).items():
        value, held = resolve(expression, known), getattr(module, name, UNKNOWN)
        if type(value) is int and type(held) is int and value != held:
            return False
    return True


def _bound(call: ast.Call, kind: type) -> dict[str, ast.expr]:
    if any(isinstance(each, ast.Starred) for each in call.args):
        return {}
    names = list(inspect.signature(kind).parameters)
    if names == ["args", "kwargs"]:  # torch 2.x hides the signature of LSTM, GRU and RNN
        names = ["input_size", "hidden_size", "num_layers", "bias", "batch_first"]
    found = dict(zip(names, call.args, strict=False))
    return found | {each.arg: each.value for each in call.keywords if each.arg}


def _local_names(function: Function) -> set[str]:
    stored = (each for each in ast.walk(function) if isinstance(each, ast.Name))
    names = {each.id for each in stored if isinstance(each.ctx, ast.Store)}
    return names | set(parameter_names(function))


def _constants(source: Source) -> dict[str, Any]:
    """The names a file sets once, at its top, to a number that can be read."""
    found: dict[str, Any] = {}
    for statement in source.tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                value = resolve(statement.value, found)
                found[target.id] = UNKNOWN if target.id in found else value
    return {name: value for name, value in found.items() if type(value) is int}


def _is_set_as(call: ast.Call, node: ast.AST | None, source: Source) -> bool:
    """Whether the call is part of what was assigned to the name the module is called by."""
    wanted = _called_as(node)
    statement = source.statement_of(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return bool(wanted) and any(_target(each) == wanted for each in targets)


def _called_as(node: ast.AST | None) -> str:
    return _target(node.func) if isinstance(node, ast.Call) else ""


def _target(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _only(found: Iterable[ast.Call], source: Source, path: str) -> ast.Call | None:
    calls = list(found)
    if len(calls) == 1:
        return calls[0]
    placed = [each for each in calls if _stands_at(each, source.parents.get(each), path)]
    return placed[0] if len(placed) == 1 else None


def _stands_at(call: ast.Call, above: ast.AST | None, path: str) -> bool:
    last = path.rsplit(".", 1)[-1]
    if not last.isdigit() or not isinstance(above, ast.Call) or _callee(above) != "Sequential":
        return False
    plain = not any(isinstance(each, ast.Starred) for each in above.args)
    return plain and int(last) < len(above.args) and above.args[int(last)] is call
