"""Imports once, in the parent of all runs, the large packages that a program imports.

Each run is a fork: what its parent has loaded it need not load again, and `transformers` alone
takes seconds. Only packages that do nothing but define things when they are imported, and that
the program's own folder does not replace.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import importlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from wellshaped.execute.compiler import defer_compiler
from wellshaped.execute.forked.keeper import kept_folder
from wellshaped.execute.program import Program

_HARMLESS = frozenset({
    "accelerate", "datasets", "einops", "lightning", "numpy", "pandas", "peft", "pytorch_lightning",
    "safetensors", "scipy", "sklearn", "timm", "tokenizers", "torchmetrics", "torchvision",
    "transformers", "trl",
})  # fmt: skip


@cache
def preload(program: Program) -> None:
    """Import what the program's script imports from packages that are known to be harmless."""
    path = Path(program.name)
    if program.is_module or path.suffix != ".py":
        return
    defer_compiler()
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    for module, names in _imports(tree):
        root = module.partition(".")[0]
        if root in _HARMLESS and PathFinder.find_spec(root, [str(path.resolve().parent)]) is None:
            _cache_elsewhere()
            # Whatever fails here fails in the program too, and is told there.
            with contextlib.suppress(Exception):
                loaded = importlib.import_module(module)
                for name in names:
                    getattr(loaded, name)  # a lazy package loads it now


@cache
def _cache_elsewhere() -> None:
    """Let what packages write when they are imported go with this process: fonts, compiled code."""
    made = contextlib.ExitStack()
    folder = made.enter_context(kept_folder())
    atexit.register(made.close)
    names = ["TORCHINDUCTOR_CACHE_DIR"]
    if not Path("~/.config/matplotlib").expanduser().exists():
        names.append("MPLCONFIGDIR")
    for name in names:
        if name not in os.environ:
            os.environ[name] = str(folder)
            made.callback(os.environ.pop, name, None)


def _imports(tree: ast.AST) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, tuple(alias.name for alias in node.names if alias.name != "*")
