"""Loaders that are not given the function of the program that makes batches."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.variations.record import SmallChange


def collated(
    node: ast.expr, functions: Iterable[tuple[str, str]], file: str, tree: ast.Module
) -> Iterator[SmallChange]:
    """A loader with a function whose name says that it collates; it is imported where it is not.

    `functions` are those of the program, by file and name; the loader stands in `file`.
    """
    if not isinstance(node, ast.Call) or last_name(node.func) != "DataLoader":
        return
    if any(each.arg in ("collate_fn", None) for each in node.keywords):
        return
    for home, name in functions:
        imported = _imported(name, PurePath(home).stem, tree)
        if "collate" in name and (home == file or imported is not None):
            keyword = ast.keyword("collate_fn", ast.Name(name, ast.Load()))
            changed = ast.unparse(ast.Call(node.func, node.args, [*node.keywords, keyword]))
            yield SmallChange(node, changed, "given", imported or ())


def _imported(name: str, module: str, tree: ast.Module) -> tuple[tuple[ast.alias, str], ...] | None:
    """What brings a name into a file: nothing where it is there, None where nothing can."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == module:
            if any(each.name == name for each in node.names):
                return ()
            last = node.names[-1]
            text = last.name + (f" as {last.asname}" if last.asname else "")
            return ((last, f"{text}, {name}"),) if last.name != "*" else ()
    return None
