"""An operation of a program that stretched a tensor to the shape of another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from wellshaped.records.source import Passage

# pairs: rows met rows at right angles. ranks: both come from the batch, and one has fewer axes.
# both: each was stretched against the other. one: a tensor was repeated along axes of the
# other, as a mask is. weights: so was a parameter, as a bias is.
Suspicion = Literal["pairs", "ranks", "both", "one", "weights"]
ORDER: tuple[Suspicion, ...] = ("pairs", "ranks", "both", "one", "weights")


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Where it stands, what met, what came of it, and how often."""

    passage: Passage
    operation: str
    shapes: tuple[tuple[int, ...], ...]
    result: tuple[int, ...]
    suspicion: Suspicion
    count: int = 1


def by_suspicion(found: Iterable[Broadcast]) -> list[Broadcast]:
    """By suspicion, then by place."""
    return sorted(found, key=lambda each: (ORDER.index(each.suspicion), *_place(each)))


def _place(broadcast: Broadcast) -> tuple[str, int, int]:
    place, span = broadcast.passage.place, broadcast.passage.span
    return place.file, place.line, span.column if span else 0
