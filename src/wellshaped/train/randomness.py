"""The state of every random generator that training draws from: Python's, NumPy's, torch's."""

from __future__ import annotations

import importlib
import random
from typing import Any

import torch


def seed_all(seed: int) -> None:
    """Begin every generator anew."""
    random.seed(seed)
    torch.manual_seed(seed)
    numpy = _numpy()
    if numpy is not None:
        numpy.random.seed(seed % 2**32)


def random_state() -> dict[str, Any]:
    """Where the generators of this process are, as tensors and plain values."""
    version, numbers, gauss = random.getstate()
    state: dict[str, Any] = {
        "python": [version, torch.tensor(numbers), gauss],
        "torch": torch.get_rng_state(),
        "devices": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }
    numpy = _numpy()
    if numpy is not None:
        name, keys, *rest = numpy.random.get_state()
        state["numpy"] = [name, torch.tensor(keys.tolist()), *rest]
    return state


def restore_random_state(state: dict[str, Any]) -> None:
    """Put the generators where they were."""
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers.tolist()), gauss))
    torch.set_rng_state(state["torch"])
    if state["devices"]:
        torch.cuda.set_rng_state_all(state["devices"])
    numpy = _numpy()
    if numpy is not None and "numpy" in state:
        name, keys, *rest = state["numpy"]
        numpy.random.set_state((name, numpy.array(keys.tolist(), dtype=numpy.uint32), *rest))


def _numpy() -> Any:
    """NumPy, which torch works without."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None
