"""Where an expression is read: its source, the names it sees, and who called it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

import torch

from wellshaped.source.code import Function, Source, source_of
from wellshaped.source.frames import Stop, is_library
from wellshaped.source.values import UNKNOWN, resolve

# Who calls itself a thousand times gains nothing from being followed a thousand times.
_MOST_FRAMES = 50


@dataclass(frozen=True)
class Scope:
    """A function of the user's (or a module), with what is known of its names."""

    source: Source
    function: Function | None
    names: Mapping[str, Any]
    caller: Scope | None = None
    call: ast.Call | None = None

    def value(self, node: ast.AST) -> Any:
        """The value of an expression, as far as it can be looked up."""
        return resolve(node, self.names)

    def parameter(self, name: str) -> bool:
        """Whether a name is a parameter of the function."""
        return self.function is not None and name in parameter_names(self.function)

    def argument(self, name: str) -> tuple[Scope, ast.expr] | None:
        """The expression the caller gave for a parameter."""
        if self.caller is None or self.call is None or self.function is None:
            return None
        for keyword in self.call.keywords:
            if keyword.arg == name:
                return self.caller, keyword.value
        names = parameter_names(self.function)
        if names and names[0] in ("self", "cls") and isinstance(self.function, ast.FunctionDef):
            names = names[1:]
        if any(isinstance(each, ast.Starred) for each in self.call.args) or name not in names:
            return None
        place = names.index(name)
        return (self.caller, self.call.args[place]) if place < len(self.call.args) else None


def parameter_names(function: Function) -> list[str]:
    """The names of a function's positional and keyword parameters."""
    every = function.args
    return [each.arg for each in (*every.posonlyargs, *every.args, *every.kwonlyargs)]


def scope_of(stop: Stop, outer: list[Stop]) -> Scope | None:
    """The scope of a frame, and of the frames it was called from, the nearest of many."""
    source = source_of(stop.file)
    if source is None:
        return None
    names = {**stop.frame.f_globals, **stop.frame.f_locals}
    function = source.function_at(stop.frame.f_code.co_firstlineno, stop.name)
    node = source.at_instruction(stop.frame.f_code, stop.lasti)
    if function is None and node is not None:
        function = source.function_of(node)
    caller, call = _caller(outer[-_MOST_FRAMES:])
    return Scope(source, function, names, caller, call)


def _caller(outer: list[Stop]) -> tuple[Scope | None, ast.Call | None]:
    for place in range(len(outer) - 1, -1, -1):
        stop = outer[place]
        if is_library(stop.file):
            continue
        scope = scope_of(stop, outer[:place])
        if scope is None:
            return None, None
        node = scope.source.at_instruction(stop.frame.f_code, stop.lasti)
        return (scope, node) if isinstance(node, ast.Call) else (None, None)
    return None, None


def called(scope: Scope, node: ast.Call) -> Any:
    """What a call calls, where that can be looked up: a function, a module, a torch function."""
    found = scope.value(node.func)
    if found is UNKNOWN and isinstance(node.func, ast.Attribute):
        owner = scope.value(node.func.value)
        if isinstance(owner, torch.nn.Module) and node.func.attr == "forward":
            return owner
        if owner is not UNKNOWN and not isinstance(owner, torch.Tensor):
            return _method(owner, node.func.attr)
    return found


def _method(owner: Any, name: str) -> Any:
    for kind in type(owner).__mro__:
        found = vars(kind).get(name)
        if isinstance(found, FunctionType):
            return MethodType(found, owner)
        if found is not None:
            return UNKNOWN
    return UNKNOWN


def entered(scope: Scope, node: ast.Call) -> Scope | None:
    """The scope inside a call of the user's own function or module."""
    target = called(scope, node)
    owner: Any = None
    if isinstance(target, torch.nn.Module):
        owner, target = target, _method(target, "forward")
    elif not isinstance(target, (FunctionType, MethodType, type)) and target is not UNKNOWN:
        owner, target = target, _method(target, "__call__")
    if isinstance(target, MethodType):
        owner, target = target.__self__, target.__func__
    if not isinstance(target, FunctionType) or is_library(target.__code__.co_filename):
        return None
    source = source_of(target.__code__.co_filename)
    if source is None:
        return None
    function = source.function_at(target.__code__.co_firstlineno, target.__name__)
    names = dict(target.__globals__)
    if owner is not None and function is not None and parameter_names(function):
        names[parameter_names(function)[0]] = owner
    return Scope(source, function, names, scope, node) if function is not None else None
