"""Tells whether two results are one row's: the same values wherever its batch may not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from wellshaped.contracts.rounding import share

# Layers add up what each of them rounds: below this share of the largest value nothing is said.
_TOLERANCE = 1e-3
_TINY = 1e-6

# Whether a result of the run as it was and one of the changed run say the same of a row.
Alike = Callable[[torch.Tensor, torch.Tensor], bool]


def equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of one shape hold the same values, but for rounding."""
    if one.shape != other.shape:
        return False
    if not one.is_floating_point():
        return bool(torch.equal(one, other))
    known = one.isfinite() & other.isfinite()
    if not bool(known.any()):
        return True
    a, b = one[known].double(), other[known].double()
    most = max(_TOLERANCE, share(one, other))
    return float((a - b).abs().max()) <= most * float(a.abs().max()) + _TINY


def rows_alike(rows: int, kept: torch.Tensor) -> Alike:
    """Whether the kept rows are the same along some axis that may count the rows."""

    def alike(one: torch.Tensor, other: torch.Tensor) -> bool:
        if one.shape != other.shape:
            return False
        if equal(one, other):
            return True
        return any(
            equal(a.index_select(place, kept), b.index_select(place, kept))
            for (a, place), (b, _) in zip(_by_rows(one, rows), _by_rows(other, rows), strict=True)
        )

    return alike


def _by_rows(tensor: torch.Tensor, rows: int) -> Iterator[tuple[torch.Tensor, int]]:
    """The tensor with each axis that may hold the rows as an axis of its own: cut or merged."""
    shape = list(tensor.shape)
    for place, size in enumerate(shape):
        if size and size % rows == 0:
            before, after, count = shape[:place], shape[place + 1 :], size // rows
            yield tensor.reshape(*before, rows, count, *after), place
            if count > 1:
                yield tensor.reshape(*before, count, rows, *after), place + 1
        total = size
        for end in range(place + 1, len(shape)):
            total *= shape[end]
            if total == rows and size < rows:
                yield tensor.reshape(*shape[:place], rows, *shape[end + 1 :]), place


def padded_alike(rows: int, long: int, short: int) -> Alike:
    """Whether what was padded is the same at its real positions."""

    def alike(one: torch.Tensor, other: torch.Tensor) -> bool:
        if one.dim() != other.dim():
            return True  # nothing can be said
        for place in range(one.dim()):
            a, b = one.shape[place], other.shape[place]
            if a == b:
                continue
            if (a, b) == (rows * long, rows * short):
                cut = one.unflatten(place, (rows, long)).narrow(place + 1, 0, short)
                one = cut.flatten(place, place + 1)
            elif a > b:
                one = one.narrow(place, 0, b)
            else:
                return True
        return equal(one, other)

    return alike
