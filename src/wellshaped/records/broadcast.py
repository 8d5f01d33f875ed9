"""An operation of a program that stretched a tensor to the shape of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellshaped.records.source import Passage

# pairs: rows met rows at right angles. both: each was stretched against the other. one: a
# tensor was repeated along axes of the other, as a bias or a mask is.
Suspicion = Literal["pairs", "both", "one"]
ORDER: tuple[Suspicion, ...] = ("pairs", "both", "one")


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Where it stands, what met, what came of it, and how often."""

    passage: Passage
    operation: str
    shapes: tuple[tuple[int, ...], ...]
    result: tuple[int, ...]
    suspicion: Suspicion
    count: int = 1
