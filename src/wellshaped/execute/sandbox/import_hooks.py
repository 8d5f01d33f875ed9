"""Changes modules that are loaded, and others right after they are imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

Pairs = list[tuple[Any, Any]]
Change = Callable[[ModuleType], Pairs]  # answers with what else may hold, and what stands in for it


class Arrivals(MetaPathFinder):
    """Calls the change of each module, by the module's name."""

    def __init__(self, changes: Mapping[str, Change]) -> None:
        self._changes = changes

    def replacements(self) -> Pairs:
        """Change what is loaded, and watch for the rest; other modules may hold the old ones."""
        sys.meta_path.insert(0, self)
        loaded = [name for name in self._changes if name in sys.modules]
        return [pair for name in loaded for pair in self._changes[name](sys.modules[name])]

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders give, with our step after the module has been run."""
        change = self._changes.get(name)
        if change is None:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next(filter(None, found), None)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_change(module: ModuleType) -> None:
                run(module)
                change(module)

            vars(spec.loader)["exec_module"] = run_and_change
        return spec
