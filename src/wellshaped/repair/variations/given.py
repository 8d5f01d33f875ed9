"""Arguments that a call leaves to their defaults, given as another call or the sizes ask."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from wellshaped.repair.backward_slice import declared_parameters, default_of, last_name
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.numbers import fitting_numbers
from wellshaped.repair.variations.record import SmallChange

# Names of numbers that set how long, how often or with how many rows a program runs.
_NO_SIZE = re.compile(r"epoch|step|seed|worker|iter|batch|^bs$|^n$|interval|patience")


@dataclass(frozen=True, slots=True)
class Signatures:
    """What the functions and classes of a program take by default, and how they are called.

    By name: the defaults that are whole numbers, and the keywords that calls give with their text.
    """

    defaults: Mapping[str, Mapping[str, int]]
    keywords: Mapping[str, Mapping[str, str]]


def signatures(trees: list[ast.Module]) -> Signatures:
    """What can be called in a program."""
    defaults: dict[str, dict[str, int]] = {}
    keywords: dict[str, dict[str, str]] = {}
    for node in (each for tree in trees for each in ast.walk(tree)):
        match node:
            case ast.FunctionDef(name=name):
                defaults.setdefault(name, {}).update(_numbers(node))
            case ast.ClassDef(name=name, body=body):
                for each in body:
                    if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                        defaults.setdefault(name, {}).update(_numbers(each))
            case ast.Call(func=func, keywords=given):
                known = keywords.setdefault(last_name(func), {})
                known.update({each.arg: ast.unparse(each.value) for each in given if each.arg})
    return Signatures(defaults, keywords)


def _numbers(function: ast.FunctionDef) -> dict[str, int]:
    found = {name: default_of(function, name) for name in declared_parameters(function)}
    return {
        name: each.value
        for name, each in found.items()
        if isinstance(each, ast.Constant) and type(each.value) is int
    }


def given_at_call(
    node: ast.expr, known: Signatures, numbers: Iterable[int], conflict: Conflict
) -> Iterator[SmallChange]:
    """A call with the keyword that decides a size which does not fit."""
    if not isinstance(node, ast.Call):
        return
    name = last_name(node.func)
    there = {each.arg for each in node.keywords}
    for parameter, value in known.defaults.get(name, {}).items():
        wanted = [str(each) for each in fitting_numbers(value, conflict, numbers)]
        if parameter in there or not wanted or _NO_SIZE.search(parameter):
            continue
        elsewhere = known.keywords.get(name, {}).get(parameter)
        for text in dict.fromkeys([*([elsewhere] if elsewhere else []), *wanted]):
            keyword = ast.keyword(parameter, ast.parse(text, mode="eval").body)
            changed = ast.Call(node.func, node.args, [*node.keywords, keyword])
            yield SmallChange(node, ast.unparse(changed), "given")
