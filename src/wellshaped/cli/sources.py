"""The source files of a program, found without importing or executing anything."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wellshaped.execute import Program

_MOST_FILES: Final = 200
_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A file of the program and its syntax tree."""

    file: Path
    tree: ast.Module


def script_of(program: Program) -> Path | None:
    """The file that is run first; None where it is not a source file of the program's folder."""
    if not program.is_module:
        path = Path(program.name)
        main = path / "__main__.py" if path.is_dir() else path
        return main if main.suffix in (".py", ".pyw", "") and main.is_file() else None
    base = Path(*program.name.split("."))
    places = (base.with_name(f"{base.name}.py"), base / "__main__.py")
    return next((each for each in places if each.is_file()), None)


def own_sources(program: Program) -> Iterator[ProgramFile]:
    """The script and the modules of its folder that it imports, directly or through others."""
    script = script_of(program)
    if script is None:
        return
    root = Path() if program.is_module else script.parent
    waiting, seen = [script], {script.resolve()}
    while waiting and len(seen) <= _MOST_FILES:
        file = waiting.pop(0)
        try:
            tree = ast.parse(file.read_bytes())
        except _UNREADABLE:
            continue  # what cannot be read defines nothing; the run reports it
        yield ProgramFile(file, tree)
        for found in _imported(tree, file, root):
            if found.resolve() not in seen:
                seen.add(found.resolve())
                waiting.append(found)


def _imported(tree: ast.Module, file: Path, root: Path) -> Iterator[Path]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(root, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = file.parents[node.level - 1] if 0 < node.level <= len(file.parents) else root
            module = f"{node.module}." if node.module else ""
            for alias in node.names:
                yield from _files(base, f"{module}{alias.name}")


def _files(base: Path, module: str) -> Iterator[Path]:
    """The files that importing a module executes, of those below `base`."""
    for part in module.split("."):
        base = base / part
        for place in (Path(f"{base}.py"), base / "__init__.py"):
            if os.path.isfile(place):
                yield place
