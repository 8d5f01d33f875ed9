"""The code cells of a notebook as code objects, and what IPython would put beside them."""

from __future__ import annotations
import __future__

import ast
import contextlib
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from types import CodeType, CoroutineType, ModuleType
from typing import Any

from wellshaped.notebook.logical import lines
from wellshaped.notebook.magics import as_python
from wellshaped.notebook.read import Cell

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_SKIPPED, _MAY_RAISE = "skip-execution", "raises-exception"  # as nbconvert reads these tags


def remember(cells: Iterable[Cell]) -> None:
    """Let tracebacks and `inspect` find the source of each cell as the user wrote it."""
    if sys.excepthook is sys.__excepthook__:  # which looks for files alone (Python 3.11)
        sys.excepthook = traceback.print_exception
    for cell in cells:
        linecache.cache[cell.file] = (len(cell.source), None, lines(cell.source), cell.file)


def run_cells(
    cells: Iterable[Cell],
    names: dict[str, Any],
    *,
    call: Callable[..., Any],
    compiled: Callable[[str, str, int], CodeType],
) -> None:
    """Run the cells in their order and in one namespace; `call` is what calls into them."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    names |= {"get_ipython": Shell, "display": display}
    with _ipython_importable(), _loop() as finish:
        for cell in cells:
            if _SKIPPED in cell.tags:
                continue
            with contextlib.suppress(*([Exception] if _MAY_RAISE in cell.tags else [])):
                code = compiled(as_python(cell.source), cell.file, flags)
                flags |= code.co_flags & _FUTURES  # `from __future__` holds in later cells
                waiting = call(eval, code, names)
                if isinstance(waiting, CoroutineType):
                    call(finish(), waiting)


@contextlib.contextmanager
def _loop() -> Iterator[Callable[[], Callable[..., Any]]]:
    """One event loop for the cells that wait at their top, made by the first of them."""
    made: list[Any] = []

    def finish() -> Callable[..., Any]:
        import asyncio  # here, as most notebooks do without

        if not made:
            made.append(asyncio.new_event_loop())
            asyncio.set_event_loop(made[0])
        run: Callable[..., Any] = made[0].run_until_complete
        return run

    try:
        yield finish
    finally:
        for each in made:
            each.close()


class Shell:
    """Stands for IPython's shell: whatever is asked of it, nothing happens."""

    def __getattr__(self, name: str) -> Shell:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> Shell:
        """Any method of the shell."""
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def run_line_magic(self, name: str, line: str, *_: object) -> None:
        """The one magic that later cells depend on is carried out: `%cd`."""
        if name == "cd":
            with contextlib.suppress(OSError):  # IPython says so and goes on
                os.chdir(os.path.expanduser(line))


def display(*objects: object, **_: object) -> None:
    """Print them, as IPython does where there is nothing to draw on."""
    for each in objects:
        with contextlib.suppress(Exception):
            print(repr(each))


class _Standing:
    """Finds modules that stand for IPython's: one of them alone, or all of the package."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """The stand-in for a module, if it is the one, or one of those below it."""
        if f"{name}.".startswith(f"{self._name}."):
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty module."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Give it every name that may be asked for."""
        found: dict[str, Any] = {"get_ipython": Shell, "version_info": (9, 0, 0)}
        if module.__name__ != "IPython":  # there `display` is a module
            found["display"] = display
        vars(module)["__getattr__"] = lambda name: found.get(name) or _any_name(name)


def _any_name(name: str) -> Shell:
    if name.startswith("__"):
        raise AttributeError(name)
    return Shell()


@contextlib.contextmanager
def _ipython_importable() -> Iterator[None]:
    """Where IPython is installed its `get_ipython` is ours, else all of it is."""
    before = [*sys.meta_path]
    one, rest = _Standing("IPython.core.getipython"), _Standing("IPython")
    sys.meta_path[:] = [one, *before, rest]
    try:
        yield
    finally:
        sys.meta_path[:] = [each for each in sys.meta_path if each not in (one, rest)]
