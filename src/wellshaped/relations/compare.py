"""Compares two tapes of a step: where rows are in a result, and what differs that must not."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from wellshaped.relations.tape import TapeEntry

# Relative to the largest value: below is noise of float kernels, above is certainly none.
NOISE, CERTAIN = 2e-5, 1e-3
_MOST_ROW_AXES = 2
_LARGE = 1e4


@dataclass(frozen=True, slots=True)
class RowAxis:
    """An axis that counts rows, alone or with others: `before` and `behind` each row in it."""

    axis: int
    before: int
    behind: int

    def places(self, rows: Sequence[int], count: int) -> torch.Tensor:
        """The places of these rows along the axis."""
        return torch.tensor(
            [
                (outer * count + row) * self.behind + inner
                for outer in range(self.before)
                for row in rows
                for inner in range(self.behind)
            ]
        )


Layout = tuple[RowAxis, ...]


def difference(left: torch.Tensor, right: torch.Tensor) -> float:
    """How far two tensors are apart, relative to the largest value of the first; inf by shape."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return float("inf")
    if not left.numel():
        return 0.0
    if not left.is_floating_point():
        return 0.0 if bool((left == right).all()) else float("inf")
    same = (left == right) | (left.isnan() & right.isnan())
    if bool(same.all()):
        return 0.0
    one, other = left.double(), right.double()
    finite = one.isfinite()
    if not bool((finite == other.isfinite()).all()):
        return float("inf")
    if not bool((same | finite).all()):
        return float("inf")
    scale = float(one[finite].abs().max()) if bool(finite.any()) else 1.0
    if scale > _LARGE:  # what hides a position must not hide the differences of others
        one, other, scale = one.asinh(), other.asinh(), float(torch.tensor(scale).asinh())
    apart = (one - other)[finite].abs().max()
    # Results that cancel to almost nothing are noise on both sides.
    return float(apart) / max(scale, 1e-6)


def alike(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two tensors are the same but for noise that no fault makes."""
    return difference(left, right) < CERTAIN


def layout_of(plain: torch.Tensor, permuted: torch.Tensor, order: Sequence[int]) -> Layout | None:
    """Where the rows are in a result, as its change with their order shows; () where nowhere."""
    if plain.shape != permuted.shape:
        return None
    if alike(plain, permuted):
        return ()
    found = [list(_ways(axis, size, len(order))) for axis, size in enumerate(plain.shape)]
    every = [way for ways in found for way in ways]
    for count in range(1, _MOST_ROW_AXES + 1):
        for layout in itertools.combinations(every, count):
            apart = len({each.axis for each in layout}) == count
            if apart and alike(_moved(plain, layout, order), permuted):
                return layout
    return None


def of_rows(tensor: torch.Tensor, layout: Layout, rows: Sequence[int], count: int) -> torch.Tensor:
    """The part of a result that belongs to these rows."""
    for each in layout:
        tensor = tensor.index_select(each.axis, each.places(rows, count))
    return tensor


def same_set(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two results have the same slices along their first axis, in whatever order."""
    if left.shape != right.shape or left.dim() == 0 or not left.numel():
        return False
    flat = torch.stack([each.double().reshape(len(each), -1) for each in (left, right)])
    flat = flat.asinh().nan_to_num(0.0, 1e3, -1e3)
    weights = torch.linspace(1.0, 2.0, flat.shape[2], dtype=torch.float64).sin()
    sums = (flat @ weights).sort(1).values
    return difference(sums[0], sums[1]) < CERTAIN


def first_breaks(
    entries: Sequence[TapeEntry], broken: Iterable[int], ends: Sequence[int]
) -> list[int]:
    """The broken results that the ends descend from and that are made of unbroken ones."""
    bad = set(broken)
    return [
        each
        for each in sorted(bad & ancestors(entries, ends))
        if not bad.intersection(entries[each].parents)
    ]


def ancestors(entries: Sequence[TapeEntry], ends: Sequence[int]) -> set[int]:
    """The results that these were made of, with themselves."""
    seen: set[int] = set()
    left = list(ends)
    while left:
        each = left.pop()
        if each not in seen:
            seen.add(each)
            left += entries[each].parents
    return seen


def _ways(axis: int, size: int, rows: int) -> Iterable[RowAxis]:
    if size % rows or size == 0:
        return
    others = size // rows
    for before in range(1, others + 1):
        if others % before == 0:
            yield RowAxis(axis, before, others // before)


def _moved(tensor: torch.Tensor, layout: Layout, order: Sequence[int]) -> torch.Tensor:
    for each in layout:
        tensor = tensor.index_select(each.axis, each.places(order, len(order)))
    return tensor
