"""Keeps torch's compiler out of a dry run until something of it is really needed.

Every optimizer imports `torch._dynamo`, about two seconds of work in each run, and asks it for
two functions that do nothing outside a compilation.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

_NAME = "torch._dynamo"


class _Deferred(ModuleType):
    """The two functions that optimizers ask for; anything else loads the module itself."""

    @staticmethod
    def graph_break(*_: Any, **__: Any) -> None:
        """Nothing: nothing is being compiled."""

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *_: Any, **__: Any) -> Any:
        """The function itself: it runs eagerly."""
        return fn if fn is not None else lambda function: function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)  # `inspect` looks through all modules: no reason to load
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
            torch._dynamo = importlib.import_module(_NAME)
        return getattr(sys.modules[_NAME], name)


def defer_compiler() -> None:
    """Put the compiler's place-holder where programs look for it; in a process made for a run."""
    if _NAME not in sys.modules:
        sys.modules[_NAME] = torch._dynamo = _Deferred(_NAME)
