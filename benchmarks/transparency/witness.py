"""Writes down what a program trained: every run of the comparison has this as `sitecustomize`.

Nothing is imported before the program imports it: `wellshaped run` acts at the import of torch,
and so must be met as it meets programs. Random numbers are seeded at that moment, the same for
all runs: most scripts choose no seed, and would never train the same weights twice.
"""

import atexit
import hashlib
import os
import random
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

_digest = hashlib.sha256()
_steps = 0


def _look(optimizer: Any, *_: object) -> None:
    global _steps
    _steps += 1
    for group in optimizer.param_groups:
        for each in group["params"]:
            flat = each.detach().cpu().contiguous().reshape(-1)
            _digest.update(flat.view(sys.modules["torch"].uint8).numpy())


def _tell(file: str) -> None:
    with open(file, "w") as out:
        out.write(f"{_steps} {_digest.hexdigest()}")


def _seed_torch(torch: Any) -> None:
    torch.manual_seed(0)


def _seed_numpy(numpy: Any) -> None:
    numpy.random.seed(0)
    make = numpy.random.default_rng
    numpy.random.default_rng = lambda seed=None: make(0 if seed is None else seed)


def _follow_steps(optimizers: Any) -> None:
    optimizers.register_optimizer_step_post_hook(_look)


_ACTS: dict[str, Callable[[Any], None]] = {
    "torch": _seed_torch,
    "numpy": _seed_numpy,
    "torch.optim.optimizer": _follow_steps,
}


class _AfterImport:
    """Calls a function with a module that has just been imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Where python finds it; its loader acts once it is executed."""
        spec = PathFinder.find_spec(name, path, target) if name in _ACTS else None
        loader: Any = None if spec is None else spec.loader
        if loader is not None:
            act, execute = _ACTS[name], loader.exec_module

            def exec_module(module: Any) -> None:
                execute(module)
                act(module)

            loader.exec_module = exec_module
        return spec


_file = os.environ.pop("WITNESS", None)  # taken away: processes that the program starts write none
if _file is not None:
    random.seed(0)
    sys.meta_path.insert(0, _AfterImport())
    atexit.register(_tell, _file)
