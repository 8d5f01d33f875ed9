"""How floats are compared: what one kernel gave and another gives, on any CPU.

Wider vectors, more threads or another shape add up in another order, and the last digits differ.
Equal bits are asked for only where one kernel runs again on the same shapes
(docs/decisions/0019-equal-bits-from-one-kernel.md).
"""

import re
from decimal import Decimal
from typing import Any, TypedDict

import pytest


class Tolerance(TypedDict):
    """What `torch.testing.assert_close` takes."""

    rtol: float
    atol: float


# About a hundred times the rounding of float32, for results of some layers; a wrong row, a
# forgotten mask or another reduction is a thousand times further away.
CLOSE: Tolerance = {"rtol": 1e-5, "atol": 1e-6}
# The same for whole models, forward and backward, and after some steps of training: Adam divides
# by the size of a gradient, and makes the most of one that is nothing but rounding.
DEEP: Tolerance = {"rtol": 1e-4, "atol": 5e-5}
# Numbers with digits enough that the last one may be rounded otherwise.
_NUMBER = re.compile(r"-?\b\d+\.\d{3,}\b")
_LAST_DIGITS = 2


def near(value: Any, *, within: Tolerance = CLOSE, nan_ok: bool = False) -> Any:
    """A float, or several, of float32, as `pytest.approx` takes them for float64."""
    return pytest.approx(value, rel=within["rtol"], abs=within["atol"], nan_ok=nan_ok)


def rounded_like(text: str, shown: str) -> str:
    """`text`, with the last digits that its numbers have in `shown`; other numbers stay."""
    numbers = _NUMBER.findall(shown)
    if len(_NUMBER.findall(text)) != len(numbers):
        return text
    before = iter(numbers)
    return _NUMBER.sub(lambda found: _alike(found[0], next(before)), text)


def _alike(number: str, shown: str) -> str:
    unit = Decimal(10) ** -len(shown.partition(".")[2])
    if len(number) != len(shown) or abs(Decimal(number) - Decimal(shown)) > _LAST_DIGITS * unit:
        return number
    return shown
