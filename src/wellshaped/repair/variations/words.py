"""Settings that are words: the others that a program compares them with, or lets one choose."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from wellshaped.repair.backward_slice import Site, declared_parameters, default_of, last_name
from wellshaped.repair.variations.record import SmallChange

Words = Mapping[str, tuple[str, ...]]

_REDUCTIONS = ("mean", "sum", "none")
_MOST_WORDS = 3


def words_by_setting(trees: Iterable[ast.Module]) -> Words:
    """By the name of a setting, the words that it is compared with or may be."""
    found: dict[str, dict[str, None]] = defaultdict(dict, {"reduction": dict.fromkeys(_REDUCTIONS)})
    for node in (each for tree in trees for each in ast.walk(tree)):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In()], comparators=[one]):
                found[_name(left)] |= dict.fromkeys(_strings(one))
            case ast.Call(args=[ast.Constant(value=str(name)), *_], keywords=given):
                for each in given:
                    if each.arg == "choices":
                        found[_option(name)] |= dict.fromkeys(_strings(each.value))
    found.pop("", None)
    return {name: tuple(each) for name, each in found.items()}


def other_words(site: Site, words: Words, tree: ast.Module | None) -> Iterator[SmallChange]:
    """The settings that a statement makes, as another word."""
    for name, value in _settings(site, tree):
        if isinstance(value, ast.Constant) and (value.value is None or type(value.value) is str):
            others = [each for each in words.get(name, ()) if each != value.value]
            for each in others[:_MOST_WORDS]:
                yield SmallChange(value, ast.unparse(ast.Constant(each)), "word")


def _settings(site: Site, tree: ast.Module | None) -> Iterator[tuple[str, ast.expr]]:
    match site.node:
        case ast.Assign(targets=[target], value=value):
            yield _name(target), value
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield _name(target), value
        case ast.expr() as default:
            yield from ((name, default) for name in _parameters_of(default, tree))
    for call in (each for one in site.expressions for each in ast.walk(one)):
        if isinstance(call, ast.Call):
            yield from ((each.arg, each.value) for each in call.keywords if each.arg)
            if call.args and isinstance(call.args[0], ast.Constant):
                option = _option(str(call.args[0].value))
                yield from ((option, each.value) for each in call.keywords if each.arg == "default")


def _parameters_of(default: ast.expr, tree: ast.Module | None) -> Iterator[str]:
    place = (default.lineno, default.col_offset)
    for function in ast.walk(tree) if tree else ():
        if isinstance(function, ast.FunctionDef):
            for name in declared_parameters(function):
                given = default_of(function, name)
                if given is not None and (given.lineno, given.col_offset) == place:
                    yield name


def _option(text: str) -> str:
    return text.lstrip("-").replace("-", "_")


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return last_name(node)


def _strings(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return [
        each.value for each in parts if isinstance(each, ast.Constant) and type(each.value) is str
    ]
