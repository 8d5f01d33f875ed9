"""A module that failed: its tensors as they were given to it, its settings, where it was built."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch.nn.utils.rnn import PackedSequence

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source.construction import constructed, settings_of_call
from wellshaped.source.frames import Stop
from wellshaped.source.meta_eval import eval_on_meta
from wellshaped.source.operands import operand
from wellshaped.source.scope import Scope, called, parameter_names
from wellshaped.source.values import UNKNOWN, fact_of


def observe_module(
    stops: list[Stop],
    node: ast.AST | None,
    scope: Scope | None,
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """The innermost module that was running, among the frames below the user's line.

    Operands named `given ...` are those of the module that holds it, `entry` is what the user's
    own model was given, and operands without a tensor are the settings as they were written.
    """
    running = [place for place, stop in enumerate(stops) if _is_forward(stop)]
    if not running:
        return _observe_constructor(stops, node, scope, passage, callers)
    outer, inner = (stops[place].frame.f_locals["self"] for place in (running[0], running[-1]))
    path = "" if outer is inner else _path(outer, inner)
    given = _given(stops, running[0])
    written = _written(node, scope, outer, given)
    values = _given(stops, running[-1])
    operands = _operands(given, written, scope)
    if outer is not inner:
        held = tuple(replace(each, role=f"given {each.role}") for each in operands)
        operands = (*_inside(values, operands, given), *held)
    built = constructed(inner, scope, node, path) or _container(outer, path, scope, node)
    operands += (*_entry(scope, passage.place.line), *_away(built, passage))
    settings = _settings(inner) | _packed(values)
    name = type(inner).__name__
    return Observation("module", name, name, passage, operands, settings, path, callers)


def _container(
    outer: torch.nn.Module, path: str, scope: Scope | None, node: ast.AST | None
) -> tuple[Operand, ...]:
    """The settings of the nearest layer around one that torch itself built."""
    above = path.rpartition(".")[0]
    while path:
        path, above = above, above.rpartition(".")[0]
        found = constructed(outer.get_submodule(path), scope, node, path)
        if found:
            return found
    return ()


def _is_forward(stop: Stop) -> bool:
    return stop.name == "forward" and isinstance(stop.frame.f_locals.get("self"), torch.nn.Module)


def _path(outer: torch.nn.Module, inner: torch.nn.Module) -> str:
    return next((name for name, each in outer.named_modules() if each is inner), "")


def _given(stops: list[Stop], place: int) -> dict[str, Any]:
    """The arguments of `forward` as its caller gave them: inside, many modules rebind them."""
    code, held = stops[place].frame.f_code, stops[place].frame.f_locals
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    above = stops[place - 1].frame.f_locals if place else {}
    if above.get("self") is held["self"] and type(above.get("args")) is tuple:
        found = dict(zip(names, above["args"], strict=False)) | dict(above.get("kwargs") or {})
    else:
        found = {name: held.get(name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _written(
    node: ast.AST | None, scope: Scope | None, module: torch.nn.Module, given: Mapping[str, Any]
) -> dict[str, ast.expr]:
    """The expressions of the arguments, where the line calls this very module."""
    if not isinstance(node, ast.Call) or scope is None:
        return {}
    target = called(scope, node)
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    if starred or (isinstance(target, torch.nn.Module) and target is not module):
        return {}
    found = dict(zip(given, node.args, strict=False))
    found |= {each.arg: each.value for each in node.keywords if each.arg and each.arg in given}
    return {name: each for name, each in found.items() if _fits(each, scope, given[name])}


def _fits(expression: ast.expr, scope: Scope, value: Any) -> bool:
    known = scope.value(expression)
    return known is value or known is UNKNOWN or isinstance(expression, ast.Tuple)


def _operands(
    values: Mapping[str, Any], written: Mapping[str, ast.expr], scope: Scope | None
) -> tuple[Operand, ...]:
    found: list[Operand] = []
    for name, value in values.items():
        node = written.get(name)
        if isinstance(value, torch.Tensor):
            found.append(operand(name, value, node, scope))
        elif isinstance(value, tuple):
            parts = node.elts if isinstance(node, ast.Tuple) else []
            parts = parts if len(parts) == len(value) else []
            if not parts:
                found.append(operand(name, value, node, scope))
            for place, each in enumerate(value):
                part = parts[place] if parts else None
                found.append(operand(f"{name}[{place}]", each, part, scope))
    return tuple(each for each in found if each.fact or each.passage)


def _inside(
    values: Mapping[str, Any], around: tuple[Operand, ...], given: Mapping[str, Any]
) -> tuple[Operand, ...]:
    """The operands of an inner module, with the expressions of those the line itself gives."""
    known = {id(given[each.role]): each for each in around if each.role in given}
    found: list[Operand] = []
    for name, value in values.items():
        twin = known.get(id(value))
        found += [replace(twin, role=name)] if twin else _operands({name: value}, {}, None)
    return tuple(found)


def _entry(scope: Scope | None, line: int) -> tuple[Operand, ...]:
    """What the user's own model was called with, where the failing line is inside of one."""
    here = scope
    while here is not None and here.caller is not None and here.call is not None:
        if getattr(here.function, "name", "") != "forward" or not here.call.args:
            break
        above, call = here.caller, here.call
        if getattr(above.function, "name", "") != "forward" or above.call is None:
            expression = call.args[0]
            value = above.value(expression)
            known = eval_on_meta(expression, above) if value is UNKNOWN else value
            known = _received(here, line) if known is UNKNOWN else known
            return (operand("entry", known, expression, above),)
        here, line = above, call.lineno
    return ()


def _received(scope: Scope, line: int) -> Any:
    """What `forward` got as its first argument, as long as no line before set that name anew."""
    names = parameter_names(scope.function) if scope.function is not None else []
    if len(names) < 2 or scope.function is None:
        return UNKNOWN
    stored = [each for each in ast.walk(scope.function) if isinstance(each, ast.Name)]
    anew = (each for each in stored if isinstance(each.ctx, ast.Store) and each.lineno < line)
    return UNKNOWN if names[1] in (each.id for each in anew) else scope.names.get(names[1], UNKNOWN)


def _away(settings: tuple[Operand, ...], passage: Passage) -> tuple[Operand, ...]:
    """Settings written in the failing expression itself crowd it: they are left out."""
    whole = settings[0].passage if settings else None
    here = whole and whole.span and passage.span and passage.span.holds(whole.span)
    same = whole is not None and whole.place.file == passage.place.file
    return () if here and same else settings


def _settings(module: torch.nn.Module) -> dict[str, Any]:
    plain = {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and isinstance(value, (int, float, str, tuple))
    }
    for name, parameter in module._parameters.items():
        if parameter is not None:
            plain[f"{name}.shape"] = tuple(parameter.shape)
            plain[f"{name}.dtype"] = str(parameter.dtype).removeprefix("torch.")
    for name, held in module._buffers.items():
        if held is not None:
            plain[f"{name}.shape"] = tuple(held.shape)
    return plain


def _packed(values: Mapping[str, Any]) -> dict[str, Any]:
    """How many rows a packed sequence claims to have: its sizes per step, summed."""
    packed = values.get("input")
    if not isinstance(packed, PackedSequence) or fact_of(packed.data) is None:
        return {}
    return {"packed.rows": int(packed.batch_sizes.sum()), "packed.steps": len(packed.batch_sizes)}


def _observe_constructor(
    stops: list[Stop],
    node: ast.AST | None,
    scope: Scope | None,
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """A module of torch that refused its settings while it was being built."""
    building = [each for each in stops if each.name == "__init__" and "torch" in each.file]
    held = building[-1].frame.f_locals if building else {}
    module = held.get("self")
    if not isinstance(module, torch.nn.Module):
        return None
    settings = {name: value for name, value in held.items() if isinstance(value, (int, str))}
    operands: tuple[Operand, ...] = ()
    outer = type(building[0].frame.f_locals.get("self"))
    if isinstance(node, ast.Call) and scope is not None and outer is type(module):
        written = settings_of_call(node, outer, (scope.source,))
        operands = tuple(each for each in written if type(settings.get(each.role)) is int)
    name = type(module).__name__
    options = {**settings, "constructing": True}
    return Observation("module", name, name, passage, operands, options, callers=callers)
