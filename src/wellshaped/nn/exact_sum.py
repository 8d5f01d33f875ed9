"""Sums of floats without rounding, so that their value does not depend on the order of batches."""

from __future__ import annotations

from fractions import Fraction

import torch
from torch import Tensor

_BITS = 53
_LOW = 27


class ExactSum:
    """A sum of finite floats, kept as one whole number for each power of two."""

    def __init__(self) -> None:
        self._totals: dict[int, int] = {}

    def add(self, values_N: Tensor) -> None:
        """Add finite numbers, as float64."""
        mantissas_N, exponents_N = torch.frexp(values_N.double())
        whole_N = (mantissas_N * 2**_BITS).long()
        powers, place_N = exponents_N.unique(return_inverse=True)
        none = torch.zeros(len(powers), dtype=torch.long)
        # In halves: sums of 53 bits would soon be too long for an int64.
        high = none.index_add(0, place_N, whole_N >> _LOW).tolist()
        low = none.index_add(0, place_N, whole_N & (2**_LOW - 1)).tolist()
        for power, above, below in zip(powers.tolist(), high, low, strict=True):
            self._totals[power] = self._totals.get(power, 0) + (above << _LOW) + below

    @property
    def value(self) -> Fraction:
        """The sum, as an exact fraction."""
        parts = (total * Fraction(2) ** (power - _BITS) for power, total in self._totals.items())
        return sum(parts, Fraction(0))
