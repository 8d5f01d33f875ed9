"""Puts a hook in front of every loss function of torch, and takes it away again.

A hook replaces the code of the function, not its name in `torch.nn.functional`: whoever
holds the function (`from torch.nn.functional import mse_loss`, a default argument, an
attribute) reaches the hook too, and `torch.compile` still knows the function by identity.
See docs/decisions/0003-hooks-replace-code.md.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from wellshaped.contracts.registry import ROWS, functional, parameters

Original = Callable[..., Any]
Hook = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def _template(*args: Any, **kwargs: Any) -> Any:
    hook: Any = "hook"
    return hook(args, kwargs)


@dataclass(frozen=True, slots=True)
class _Swap:
    function: FunctionType
    plain: CodeType
    hooked: CodeType
    signature: inspect.Signature

    def install(self) -> None:
        # Kept for those who ask while the hook is in place, such as `torch.jit.script`.
        self.function.__signature__ = self.signature  # type: ignore[attr-defined]
        self.function.__code__ = self.hooked

    def remove(self) -> None:
        self.function.__code__ = self.plain
        del self.function.__signature__  # type: ignore[attr-defined]


class Hooks:
    """The hooks of all losses; installed while anybody wants them."""

    def __init__(self, make: Callable[[str, Original], Hook]):
        self._make = make
        self._lock = threading.Lock()
        self._wanted = 0
        self._swaps: list[_Swap] | None = None

    def acquire(self) -> None:
        """Install the hooks, unless they are already there."""
        with self._lock:
            if self._swaps is None:
                self._swaps = [swap for name in ROWS if (swap := self._prepare(name))]
            if self._wanted == 0:
                for swap in self._swaps:
                    swap.install()
            self._wanted += 1

    def release(self) -> None:
        """Remove the hooks when nobody wants them any more."""
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0 and self._swaps is not None:
                for swap in self._swaps:
                    swap.remove()

    def _prepare(self, name: str) -> _Swap | None:
        function = functional(name)
        if not isinstance(function, FunctionType) or function.__code__.co_freevars:
            return None  # somebody else's wrapper stands here: it is theirs to guard
        parameters(name)  # read the signature before the code is replaced
        plain = function.__code__
        hook = self._make(name, _copy(function))
        code = _template.__code__
        hooked = code.replace(
            co_consts=tuple(hook if const == "hook" else const for const in code.co_consts),
            co_filename=plain.co_filename,
            co_firstlineno=plain.co_firstlineno,
            co_name=plain.co_name,
            co_qualname=plain.co_qualname,
        )
        return _Swap(function, plain, hooked, inspect.signature(function))


def _copy(function: FunctionType) -> Original:
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
