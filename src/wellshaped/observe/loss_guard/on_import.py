"""Starts the guard at the moment the program imports torch, and not before.

Importing torch for the program would fix what it still means to choose (`OMP_NUM_THREADS`,
warning filters, what is imported first) and cost seconds in a program that never needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from wellshaped.records.facts import Facts


class LossWatch:
    """Records the hazardous loss calls of a program, from its import of torch to `stop`.

    `inspect` is asked of those that fit, with the name of the loss and its input.
    """

    def __init__(self, inspect: Callable[[str, Any], Facts | None] | None = None) -> None:
        self._inspect = inspect
        self._guard: Any = None
        self._failure: Exception | None = None

    def start(self) -> None:
        """Watch from now on, or from the import of torch on."""
        if "torch" in sys.modules:
            self._enter()
        else:
            sys.meta_path.insert(0, self)

    @property
    def suspects(self) -> tuple[Any, ...]:
        """The calls seen so far."""
        return () if self._guard is None else tuple(self._guard.suspects)

    def stop(self) -> tuple[Any, ...]:
        """Stop watching; the calls seen so far."""
        self._leave_imports()
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.__exit__(None, None, None)
        if self._failure is not None:
            raise self._failure
        return () if guard is None else tuple(guard.suspects)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the other finders see torch; the guard starts when that has been executed."""
        if name != "torch":
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = None if find is None else find(name, path, target)
            if spec is not None:
                self._follow(spec.loader)
                return spec
        return None

    def _follow(self, loader: Any) -> None:
        execute = getattr(loader, "exec_module", None)
        if execute is None:
            return

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            execute(module)
            self._leave_imports()
            self._enter()

        exec_module.__code__ = _as_importlib(exec_module.__code__)
        loader.exec_module = exec_module

    def _enter(self) -> None:
        try:
            from wellshaped.observe.loss_guard.watch import guard

            self._guard = guard(on_hazard="record", everywhere=True)
            self._guard.inspect = self._inspect
            self._guard.__enter__()
        except Exception as error:  # told at the end: the program goes on as if we were not here
            self._guard, self._failure = None, error

    def _leave_imports(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)


def _as_importlib(code: CodeType) -> CodeType:
    """Named so that python leaves it out of tracebacks and stack levels, as its own importer."""
    return code.replace(co_filename="<frozen importlib._bootstrap_external>")
