"""Refusals that depend on values, which no contract on shapes and dtypes can foresee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from wellshaped.contracts.judge import judge


@dataclass(frozen=True)
class ByValue:
    """A call whose shapes and dtypes are right and whose values torch refuses."""

    loss: str
    reason: str
    call: Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]


def _rows(*shape: int) -> torch.Tensor:
    return torch.full(shape, 0.5)


BY_VALUE = (
    ByValue(
        "nll_loss", "class number out of range", lambda: ((_rows(2, 3), torch.tensor([0, 3])), {})
    ),
    ByValue(
        "cross_entropy",
        "class number out of range",
        lambda: ((_rows(2, 3), torch.tensor([0, -1])), {}),
    ),
    ByValue(
        "multi_margin_loss",
        "class number out of range",
        lambda: ((_rows(2, 3), torch.tensor([0, 3])), {}),
    ),
    ByValue(
        "multilabel_margin_loss",
        "class number out of range",
        lambda: ((_rows(2, 3), torch.tensor([[0, 3, -1], [0, -1, -1]])), {}),
    ),
    ByValue(
        "linear_cross_entropy",
        "class number out of range",
        lambda: ((_rows(2, 4), _rows(3, 4), torch.tensor([0, 3])), {}),
    ),
    ByValue(
        "binary_cross_entropy",
        "input outside [0, 1]",
        lambda: ((_rows(2) + 1, _rows(2)), {}),
    ),
    ByValue(
        "gaussian_nll_loss", "negative variance", lambda: ((_rows(2), _rows(2), -_rows(2)), {})
    ),
    ByValue(
        "ctc_loss",
        "input length beyond the time axis",
        lambda: (
            (
                _rows(4, 2, 3),
                torch.ones(2, 2, dtype=torch.long),
                torch.tensor([4, 5]),
                torch.tensor([2, 2]),
            ),
            {},
        ),
    ),
    ByValue(
        "ctc_loss",
        "target length beyond the targets",
        lambda: (
            (
                _rows(4, 2, 3),
                torch.ones(2, 2, dtype=torch.long),
                torch.tensor([4, 4]),
                torch.tensor([2, 3]),
            ),
            {},
        ),
    ),
)


def confirmed() -> list[tuple[ByValue, str]]:
    """Each listed case with torch's exception; fails if torch or the contract has changed."""
    found = []
    for case in BY_VALUE:
        args, options = case.call()
        assert judge(case.loss, *args, **options).accepted, case
        try:
            getattr(F, case.loss)(*args, **options)
        except Exception as error:
            found.append((case, type(error).__name__))
        else:
            raise AssertionError(f"torch accepts {case.loss}: {case.reason}")
    return found
