"""Small changes of the lines a fault came from, for a program that no rule has a repair for.

Each changes one expression: the dimension a size is read from, the dimension an operation works
along, a step that rearranges. None is more than a candidate: it is tried on the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage, Span

TITLE = "vary"
# How far names are followed to where they were assigned.
_HOPS = 2
_DIMENSIONS = (0, 1, 2, 3)
# What takes a dimension as its last plain argument, or as `dim`.
_ALONG = frozenset(("cat", "concat", "concatenate", "stack", "softmax", "log_softmax", "unsqueeze"))
_STEPS = frozenset(("squeeze", "unsqueeze", "view", "reshape", "flatten", "t", "argmax"))


def small_changes(observation: Observation, texts: Mapping[str, str]) -> list[Repair]:
    """Changes of the lines that the fault stands on or comes from, the nearest first."""
    found: dict[tuple[Edit, ...], Repair] = {}
    for file, lines in _places(observation, texts):
        text = texts[file]
        tree = _parsed(text)
        for old, new in _changes(tree, lines) if tree else ():
            edit = Edit(file, _span(old, text), new)
            facts = {"before": ast.unparse(old), "after": new}
            found.setdefault((edit,), Repair(TITLE, facts, edits=(edit,)))
    return list(found.values())


def _places(
    observation: Observation, texts: Mapping[str, str]
) -> Iterator[tuple[str, frozenset[int]]]:
    """Lines by file: of the passages themselves, then of what their names were assigned from."""
    shown = [each for each in _passages(observation) if each.place.file in texts]
    lines = [(each.place.file, frozenset(number for number, _ in each.lines)) for each in shown]
    yield from lines
    for _ in range(_HOPS):
        lines = [(file, _assigned(_parsed(texts[file]), numbers)) for file, numbers in lines]
        yield from lines


def _assigned(tree: ast.Module | None, lines: frozenset[int]) -> frozenset[int]:
    """The lines on which names that stand on some lines were assigned, in the same function."""
    if tree is None or not lines:
        return frozenset()
    scope = _scope(tree, min(lines))
    nodes = [node for node in _within(scope) if isinstance(node, ast.Name)]
    used = {node.id for node in nodes if node.lineno in lines and isinstance(node.ctx, ast.Load)}
    made = {node.lineno for node in nodes if node.id in used and isinstance(node.ctx, ast.Store)}
    return frozenset(made - lines)


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, or of a module, without those of functions inside it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _within(node)


def _scope(tree: ast.Module, line: int) -> ast.AST:
    """The innermost function around a line, or the module."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=tree)


def _passages(observation: Observation) -> Iterator[Passage]:
    """Where the operands were made, then the call itself, then what called it."""
    for operand in observation.operands:
        yield from (each.passage for each in operand.origins)
    yield observation.passage
    yield from observation.callers


@lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except (SyntaxError, ValueError):
        return None


def _changes(tree: ast.Module, lines: frozenset[int]) -> Iterator[tuple[ast.expr, str]]:
    """Expressions on some lines, each with what may stand there instead."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and node.lineno in lines:
            for new in _instead(node):
                yield node, new


def _instead(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Call(
            func=ast.Attribute(value=inner, attr="size"), args=[ast.Constant(value=int(at))]
        ):
            yield from (f"{ast.unparse(inner)}.size({each})" for each in _others(at))
        case ast.Subscript(
            value=ast.Attribute(attr="shape") as shape, slice=ast.Constant(value=int(at))
        ):
            yield from (f"{ast.unparse(shape)}[{each}]" for each in _others(at))
        case ast.Call(func=ast.Attribute(value=inner, attr="squeeze"), args=[], keywords=[]):
            yield from (f"{ast.unparse(inner)}.squeeze({each})" for each in (1, -1, 0))
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _ALONG:
            yield from _along(node)
        case ast.Call(func=ast.Attribute(attr="tensor"), args=[ast.List(elts=[only]), *_]):
            yield ast.unparse(ast.Call(node.func, [only, *node.args[1:]], node.keywords))
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _STEPS:
            if not (isinstance(inner, ast.Name) and inner.id in ("torch", "np", "numpy", "F")):
                yield ast.unparse(inner)


def _others(dimension: int) -> list[int]:
    return [each for each in _DIMENSIONS if each != dimension]


def _along(call: ast.Call) -> Iterator[str]:
    """The same call along another dimension; without one it works along 0."""
    named = [each for each in call.keywords if each.arg in ("dim", "axis")]
    if named and isinstance(named[0].value, ast.Constant) and isinstance(named[0].value.value, int):
        for each in _others(named[0].value.value):
            rest = [
                ast.keyword(one.arg, ast.Constant(each)) if one is named[0] else one
                for one in call.keywords
            ]
            yield ast.unparse(ast.Call(call.func, call.args, rest))
    elif call.args and isinstance(call.args[-1], ast.Constant):
        value = call.args[-1].value
        for each in _others(value) if isinstance(value, int) else ():
            yield ast.unparse(
                ast.Call(call.func, [*call.args[:-1], ast.Constant(each)], call.keywords)
            )
    elif not named and len(call.args) == 1:
        for each in _DIMENSIONS[1:]:
            keyword = ast.keyword("dim", ast.Constant(each))
            yield ast.unparse(ast.Call(call.func, call.args, [*call.keywords, keyword]))


def _span(node: ast.expr, text: str) -> Span:
    """Where a node stands, in characters: ast counts bytes of UTF-8."""
    lines = text.splitlines(keepends=True)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset

    def characters(line: int, column: int) -> int:
        return len(lines[line - 1].encode()[:column].decode(errors="ignore"))

    start = characters(node.lineno, node.col_offset)
    return Span(node.lineno, start, end_line, characters(end_line, end))
