"""The watch over the losses of a program that runs as it is: no record of its tensors is kept."""

from __future__ import annotations

from typing import Any

from wellshaped.observe.loss_guard.on_import import LossWatch
from wellshaped.records.facts import Facts


def loss_watch() -> LossWatch:
    """A watch that starts with the program's import of torch."""
    return LossWatch(_inspect)


def _inspect(loss: str, given: Any) -> Facts | None:
    # Rules are loaded when a loss is called: a program that calls none does not wait for them.
    from wellshaped.diagnose.faults.values.wrong_activation.backward_graph import (
        inspect_activation,
    )

    return inspect_activation(loss, given)
