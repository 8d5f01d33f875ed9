"""What other modules ask about losses, answered from the rows: nobody else keeps a list of them."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from wellshaped.contracts.contract import (
    Activation,
    Contract,
    InputKind,
    Pairing,
    TargetKind,
    UnequalShapes,
)
from wellshaped.contracts.registry import ROWS

# Arguments that have one number for each class, or are weights of the loss itself: no rows.
WITHOUT_ROWS = ("weight", "pos_weight", "linear_weight", "linear_bias")

_ANSWERS: dict[str, tuple[Any, ...]] = {
    "target": get_args(TargetKind),
    "pairs": get_args(Pairing),
    "takes": get_args(InputKind),
    "applies": get_args(Activation),
    "zero_when_equal": (True, False),
    "unequal": get_args(UnequalShapes),
}


@cache
def losses(
    *,
    target: TargetKind | None = None,
    pairs: Pairing | None = None,
    takes: InputKind | None = None,
    applies: Activation | None = None,
    zero_when_equal: bool | None = None,
    unequal: UnequalShapes | None = None,
) -> frozenset[str]:
    """The names of the losses of which all that is asked for is true; see `Contract`.

    >>> sorted(losses(target="classes", pairs="positions"))
    ['cross_entropy', 'linear_cross_entropy', 'nll_loss']
    """
    asked = {
        "target": target,
        "pairs": pairs,
        "takes": takes,
        "applies": applies,
        "zero_when_equal": zero_when_equal,
        "unequal": unequal,
    }
    wanted = {name: value for name, value in asked.items() if value is not None}
    for name, value in wanted.items():
        if value not in _ANSWERS[name]:
            known = ", ".join(map(repr, _ANSWERS[name]))
            raise ValueError(f"no loss has {name}={value!r}; known are {known}")
    return frozenset(row.name for row in ROWS.values() if _is_so(row, wanted))


def _is_so(row: Contract, wanted: dict[str, Any]) -> bool:
    return all(getattr(row, name) == value for name, value in wanted.items())


def modules_of(names: frozenset[str]) -> frozenset[str]:
    """The classes of `torch.nn` that compute these losses.

    >>> sorted(modules_of(frozenset({"mse_loss"})))
    ['MSELoss']
    """
    return frozenset(ROWS[name].module for name in names)
