"""What the samples of a batch are made of, and where the loader that stacks them was built."""

from __future__ import annotations

import ast
from typing import Any

from wellshaped.records.observation import Operand, Origin
from wellshaped.records.source import Passage
from wellshaped.source.code import Source, source_of
from wellshaped.source.origins import expression_origins
from wellshaped.source.scope import Scope
from wellshaped.source.values import fact_of

Part = tuple[int | str | None, str]


def parts_of(samples: Any) -> tuple[Part, ...]:
    """Each part of a sample and what it asks for: `stack`, `pad`, `convert` (then pad), `label`.

    A part of whole numbers as long as the first ragged one, sample by sample, is a `label`.
    Empty where a part cannot be padded: only its first axis may differ.
    """
    if not isinstance(samples, list) or not samples:
        return ()
    keys = _keys(samples[0])
    columns = [[sample if key is None else sample[key] for sample in samples] for key in keys]
    found: list[Part] = []
    lengths: list[int] = []
    for key, column in zip(keys, columns, strict=True):
        how = _treatment(column)
        if not how:
            return ()
        own = [len(each) for each in column] if how != "stack" else []
        if how == "pad" and own == lengths and str(column[0].dtype) == "torch.int64":
            how = "label"
        lengths = lengths or own
        found.append((key, how))
    return tuple(found)


def _keys(sample: Any) -> tuple[int | str | None, ...]:
    if type(sample) in (tuple, list) and any(_shape(each) is not None for each in sample):
        return tuple(range(len(sample)))
    if type(sample) is dict and all(isinstance(key, str) for key in sample):
        return tuple(sample)
    return (None,)


def _shape(value: Any) -> tuple[int, ...] | None:
    fact = fact_of(value)
    if fact is not None:
        return fact.shape
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return shape
    numbers = isinstance(value, list) and all(isinstance(each, (int, float)) for each in value)
    return (len(value),) if numbers else None


def _treatment(column: list[Any]) -> str:
    shapes = [_shape(each) for each in column]
    if len(set(shapes)) == 1:
        return "stack"
    if any(not shape or len(shape) > 2 for shape in shapes):
        return ""  # a picture is scaled, not padded
    if len({shape[1:] for shape in shapes if shape}) > 1:
        return ""
    return "pad" if all(fact_of(each) is not None for each in column) else "convert"


def loader_of(node: ast.AST | None, scope: Scope | None) -> tuple[Operand, ...]:
    """The call that built the loader a loop goes through."""
    if scope is None or not isinstance(node, ast.expr):
        return ()
    origins = expression_origins(node, scope)
    built = next((each for each in origins if each.operation.endswith("DataLoader")), None)
    return (Operand("loader", None, built.passage),) if built else ()


def surroundings(loader: Passage, returned: tuple[Origin, ...]) -> dict[str, Any]:
    """What an edit near the loader has to know of the file: where a function can stand, names."""
    source = source_of(loader.place.file)
    top = _top_statement(source, loader.place.line) if source else None
    if source is None or top is None:
        return {}
    names = {each.id for each in ast.walk(source.tree) if isinstance(each, ast.Name)}
    names |= {str(getattr(each, "name", "")) for each in ast.walk(source.tree)}
    lines = [top.lineno, *(each.lineno for each in getattr(top, "decorator_list", ()))]
    return {
        "above": min(lines),
        "imports_torch": any(_imports_torch(each) for each in source.tree.body),
        "taken": tuple(sorted(names)),
        "ignored": _ignored(source),
        "named": tuple(each.passage.text for each in returned),
    }


def _top_statement(source: Source, line: int) -> ast.stmt | None:
    for each in source.tree.body:
        if each.lineno <= line <= (each.end_lineno or each.lineno):
            return each
    return None


def _imports_torch(statement: ast.stmt) -> bool:
    names = statement.names if isinstance(statement, ast.Import) else []
    return any(each.name.split(".")[0] == "torch" and not each.asname for each in names)


def _ignored(source: Source) -> str:
    """The label that a loss of the program passes over, as it was written."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.keyword) and node.arg == "ignore_index":
            return source.text(node.value)
    return ""
