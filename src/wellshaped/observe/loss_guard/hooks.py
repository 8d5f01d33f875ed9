"""Puts a look at the arguments in front of every loss function of torch, and takes it away.

While hooks are in place each loss runs from code compiled from its own source with two calls
added: one before its first statement, one where it raises. The function stays the same
object, in the same frame, on the same lines: warnings, tracebacks, `inspect` and
`torch.compile` see what they always saw. See docs/decisions/0003-hooks-replace-code.md.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import torch

from wellshaped.contracts.registry import ROWS, functional, parameters
from wellshaped.records.phrase import UserError

Before = Callable[[tuple[Any, ...]], None]
Failed = Callable[[Exception, tuple[Any, ...]], None]


@dataclass(frozen=True, slots=True)
class Hook:
    """What is called before a loss computes, and when it raises."""

    before: Before
    failed: Failed


@dataclass(frozen=True, slots=True)
class _Swap:
    function: FunctionType
    plain: CodeType
    hooked: CodeType


class Hooks:
    """The hooks of all losses; installed while anybody wants them.

    `probe` calls a loss with a known fault and says whether a hook saw it: hooks that see
    nothing would pass for a program without faults. `unwatched` are the losses without a hook.
    """

    def __init__(self, make: Callable[[str], Hook], probe: Callable[[], bool]):
        self._make, self._probe = make, probe
        self._lock = threading.Lock()
        self._wanted = 0
        self._swaps: list[_Swap] | None = None
        self._proven = False
        self.unwatched: tuple[str, ...] = ()

    def acquire(self) -> None:
        """Install the hooks, unless they are there; raises `UserError` if they see nothing."""
        with self._lock:
            if self._swaps is None:
                self._swaps = self._prepared()
            if self._wanted == 0:
                for swap in self._swaps:
                    swap.function.__code__ = swap.hooked
            self._wanted += 1
        if self._proven or torch.compiler.is_compiling():  # no hook looks at what is compiled
            return
        self._proven = self._probe()
        if not self._proven:
            self.release()
            facts = {"python": platform.python_version(), "torch": torch.__version__}
            raise UserError("WS943", "hooks_do_not_work", **facts)

    def release(self) -> None:
        """Remove the hooks when nobody wants them any more."""
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0 and self._swaps is not None:
                for swap in self._swaps:
                    swap.function.__code__ = swap.plain

    def _prepared(self) -> list[_Swap]:
        found = {name: self._prepare(name) for name in ROWS}
        self.unwatched = tuple(name for name, swap in found.items() if swap is None)
        return [swap for swap in found.values() if swap is not None]

    def _prepare(self, name: str) -> _Swap | None:
        function = functional(name)
        if not isinstance(function, FunctionType) or function.__code__.co_freevars:
            return None  # somebody else's wrapper stands here: it is theirs to guard
        parameters(name)  # read before anything is changed
        hook = self._make(name)
        try:
            hooked = _instrumented(function, hook)
        except (OSError, TypeError, SyntaxError):
            return None  # no source to compile from
        return _Swap(function, function.__code__, hooked) if hook in hooked.co_consts else None


_HOOK = "wellshaped: the hook"
# Whatever the function raises is seen, and raised on.
# A program that calls itself too often is stopped by its own calls, not by the few of ours.
_PROLOGUE = f"""
_wellshaped_hook = {_HOOK!r}
_wellshaped_values = ({{values}},)
try:
    _wellshaped_hook.before(_wellshaped_values)
except RecursionError:
    pass
try:
    pass
except Exception as _wellshaped_error:
    try:
        _wellshaped_hook.failed(_wellshaped_error, _wellshaped_values)
    except RecursionError:
        pass
    raise
"""


def _instrumented(function: FunctionType, hook: Hook) -> CodeType:
    """The code of a function with the hook's calls around its body, line by line the same."""
    plain = function.__code__
    lines, first = inspect.getsourcelines(function)
    nested = lines[0][0].isspace()
    text = ("class _:\n" if nested else "") + "".join(lines)
    tree = ast.parse("\n" * (first - 1 - nested) + text)
    definition = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    added = ast.parse(_PROLOGUE.format(values=", ".join(_parameters(plain)))).body
    for node in added:
        for inner in ast.walk(node):
            ast.copy_location(inner, definition.body[0])
    guarded = added[-1]
    assert isinstance(guarded, ast.Try)
    guarded.body = definition.body
    definition.body = added
    definition.decorator_list = []
    found = _code_of(compile(ast.fix_missing_locations(tree), plain.co_filename, "exec"), plain)
    return found.replace(
        co_consts=tuple(hook if const == _HOOK else const for const in found.co_consts),
        co_qualname=plain.co_qualname,
        co_firstlineno=plain.co_firstlineno,
    )


def _code_of(module: CodeType, plain: CodeType) -> CodeType:
    """The code of a function among all that is nested in a module, by its name and parameters.

    Other code may stand before it: since Python 3.14 that of the annotations.
    """
    for const in module.co_consts:
        if isinstance(const, CodeType):
            if (const.co_name, _parameters(const)) == (plain.co_name, _parameters(plain)):
                return const
            with contextlib.suppress(TypeError):
                return _code_of(const, plain)
    raise TypeError(f"no code of {plain.co_name}")


def _parameters(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
