"""Sums of floats without rounding, so that their value does not depend on the order of batches."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


class ExactSum:
    """A sum as floats that do not overlap: their total is exact, whatever was added first."""

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, values: Iterable[float]) -> None:
        """Add finite numbers; each leaves the error of its addition behind as a part."""
        for value in values:
            kept = 0
            for part in self._parts:
                large, small = (value, part) if abs(value) >= abs(part) else (part, value)
                value = large + small
                lost = small - (value - large)
                if lost:
                    self._parts[kept] = lost
                    kept += 1
            self._parts[kept:] = [value]

    @property
    def value(self) -> Fraction:
        """The sum, as an exact fraction."""
        return sum(map(Fraction, self._parts), Fraction(0))
