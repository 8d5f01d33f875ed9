"""Comparisons as token ids, kept flat: the preferred answer and the others, with their prompts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import overload


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whole sequences as the model reads them; the first is preferred to each of the others.

    `margins` say of each other by how much the first is better at least; `weight` counts in means.
    """

    texts: tuple[tuple[int, ...], ...]
    margins: tuple[float, ...]
    weight: float = 1.0


class Comparisons(Sequence[Comparison]):
    """Many comparisons in a few arrays: four bytes a token, however many there are."""

    def __init__(self, given: Iterable[Comparison] = ()) -> None:
        self._ids, self._ends = array("i"), array("q", [0])
        self._margins, self._weights = array("d"), array("d")
        self._firsts = array("q", [0])  # the place of each comparison's first text
        for each in given:
            self.append(each)

    def append(self, given: Comparison) -> None:
        """Keep one more."""
        for text in given.texts:
            self._ids.extend(text)
            self._ends.append(len(self._ids))
        self._margins.extend((0.0, *given.margins))
        self._weights.append(given.weight)
        self._firsts.append(len(self._ends) - 1)

    def lengths(self, place: int) -> list[int]:
        """How many tokens each text of a comparison has."""
        first, last = self._firsts[place], self._firsts[place + 1]
        return [end - start for start, end in pairwise(self._ends[first : last + 1])]

    def longest(self) -> list[int]:
        """The length of the longest text of each comparison."""
        return [max(self.lengths(place)) for place in range(len(self))]

    @property
    def pairs(self) -> int:
        """How many pairs are compared."""
        return len(self._margins) - len(self)

    @property
    def tokens(self) -> int:
        """How many tokens all texts have."""
        return len(self._ids)

    def digest(self) -> str:
        """A mark that tells these comparisons from any others."""
        mark = sha256()
        for part in (self._ids, self._ends, self._firsts, self._margins, self._weights):
            mark.update(part.tobytes())
        return mark.hexdigest()[:16]

    def __len__(self) -> int:
        return len(self._weights)

    @overload
    def __getitem__(self, place: int) -> Comparison: ...
    @overload
    def __getitem__(self, place: slice) -> Comparisons: ...
    def __getitem__(self, place: int | slice) -> Comparison | Comparisons:
        if isinstance(place, slice):
            return Comparisons(self[each] for each in range(len(self))[place])
        n = range(len(self))[place]
        first, last = self._firsts[n], self._firsts[n + 1]
        texts = (tuple(self._ids[a:b]) for a, b in pairwise(self._ends[first : last + 1]))
        return Comparison(tuple(texts), tuple(self._margins[first + 1 : last]), self._weights[n])


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two sequences share from their start."""
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return place
    return min(len(first), len(second))
