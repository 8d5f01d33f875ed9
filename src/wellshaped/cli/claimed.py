"""Which command-line options a program defines itself, by the text of its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from wellshaped.cli.sources import ProgramFile, own_sources
from wellshaped.execute import Program

# These make an option of every parameter of a function, or of every field of a class.
_BY_NAME: Final = frozenset({
    "defopt", "draccus", "fire", "jsonargparse", "plac", "pyrallis", "simple_parsing", "typer",
    "tyro", "HfArgumentParser", "TrlParser", "LightningCLI", "CLI",
})  # fmt: skip
_BETWEEN: Final = re.compile(r"[/;,\s]+")


def claimed(program: Program, options: Collection[str]) -> dict[str, tuple[Path, int]]:
    """The options of these that the program defines too, each with the first file and line."""
    if not options:
        return {}
    sources = list(own_sources(program))
    names = {name for source in sources for name in _imported_names(source.tree)}
    found: dict[str, tuple[Path, int]] = {}
    for source in sources:
        for option, line in _defined(source, by_name=bool(names & _BY_NAME)):
            if option in options:
                found.setdefault(option, (source.file, line))
    return found


def _imported_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
            yield from (alias.name for alias in node.names)


def _defined(source: ProgramFile, *, by_name: bool) -> Iterator[tuple[str, int]]:
    for node in ast.walk(source.tree):
        match node:
            case ast.Constant(value=str(text)) if text.startswith("-"):
                for part in _BETWEEN.split(text):
                    yield part.partition("=")[0], node.lineno
            case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(name)), *_]):
                if attr.startswith("DEFINE_"):  # of `absl.flags`
                    yield f"--{name}", node.lineno
            case ast.arg(arg=name) if by_name:
                yield _as_option(name), node.lineno
            case ast.AnnAssign(target=ast.Name(id=name)) if by_name:
                yield _as_option(name), node.lineno


def _as_option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
