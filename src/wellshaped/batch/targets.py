"""The values of targets, held against what their task takes; a wrong one by its sample.

B rows, L labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from wellshaped.batch.samples import Name, tensors_of
from wellshaped.records.phrase import UserError


def check_zero_one(rows: Tensor, name: Name) -> Tensor:
    """The rows, if they hold nothing but 0 and 1."""
    _check((rows == 0) | (rows == 1), rows, name, "sample_zero_one")
    return rows


def check_finite(rows: Tensor, name: Name) -> Tensor:
    """The rows, without NaN and infinity."""
    _check(rows.isfinite(), rows, name, "sample_not_finite")
    return rows


def check_classes(
    rows: Tensor, size: int, name: Name, *, ignored: int | None = None, first: int = 0
) -> None:
    """Refuse class numbers (B, *) that are not below `size`; `first` is the index of row 0."""
    fits = (rows >= 0) & (rows < size)
    if ignored is not None:
        fits |= rows == ignored
    _check(fits, rows, lambda row: name(first + row), "sample_class", last=size - 1)


def _check(fits: Tensor, rows: Tensor, name: Name, message: str, **facts: int) -> None:
    if fits.all():
        return
    where = fits.logical_not().nonzero()[0]
    got = rows[tuple(where)].item()
    raise UserError("WS916", message, index=name(int(where[0])), got=got, **facts)


def many_hot(targets: Sequence[Any], size: int, name: Name) -> Tensor:
    """Lists of label numbers as (B, L) float: 1 for each that is listed, 0 for the others."""
    # No label at all is an empty list, which a sequence may not be.
    some = [index for index, labels in enumerate(targets) if not _is_empty(labels)]
    numbers = tensors_of(
        [targets[index] for index in some],
        name=lambda place: name(some[place]),
        dtype=torch.int64,
        trailing=(),
    )
    rows_BL = torch.zeros(len(targets), size)
    for index, labels in zip(some, numbers, strict=True):
        check_classes(labels.unsqueeze(0), size, name, first=index)
        if len(labels.unique()) < len(labels):
            raise UserError("WS916", "sample_repeats", index=name(index))
        rows_BL[index, labels] = 1
    return rows_BL


def _is_empty(labels: Any) -> bool:
    return getattr(labels, "ndim", 1) > 0 and hasattr(labels, "__len__") and len(labels) == 0
