"""The samples of a batch as tensors that fit together, or the one that does not by its index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn, cast

import torch
from torch import Tensor

from wellshaped.records.phrase import UserError
from wellshaped.records.shape import shape_text

# How a sample is called in an error: its index, and the way to the part that does not fit.
Name = Callable[[int], str]


def tensors_of(
    samples: Sequence[Any],
    *,
    name: Name = str,
    dtype: torch.dtype | None = None,
    trailing: tuple[int, ...] | None = None,
) -> list[Tensor]:
    """A tensor (T, *) for each sample, of one dtype and one shape after the first axis."""
    rows = [tensor_of(sample, name(index)) for index, sample in enumerate(samples)]
    for index, row in enumerate(rows):
        if row.ndim == 0:
            raise UserError("WS915", "sample_without_axis", index=name(index))
        if row.shape[0] == 0:
            raise UserError("WS917", "sample_empty", index=name(index))
    if trailing is None:
        trailing = most_common([tuple(row.shape[1:]) for row in rows])
    for index, row in enumerate(rows):
        if row.shape[1:] != trailing:
            raise _other_shape(name(index), row, ("T", *trailing))
    return _of_one_dtype(samples, rows, name, dtype)


def stacked(
    samples: Sequence[Any],
    *,
    name: Name = str,
    dtype: torch.dtype | None = None,
    shape: tuple[int, ...] | None = None,
) -> Tensor:
    """Samples of one shape and dtype in one tensor (B, *)."""
    rows = [tensor_of(sample, name(index)) for index, sample in enumerate(samples)]
    if shape is None:
        shape = most_common([tuple(row.shape) for row in rows]) or ()
    for index, row in enumerate(rows):
        if row.shape != shape:
            raise _other_shape(name(index), row, shape)
    if not rows:
        return torch.empty(0, *shape, dtype=dtype)
    return torch.stack(_of_one_dtype(samples, rows, name, dtype))


def tensor_of(sample: Any, name: str) -> Tensor:
    """One sample as a tensor; what is no table of numbers is refused."""
    if isinstance(sample, Tensor):
        return sample
    if isinstance(sample, list | tuple) and sample and isinstance(sample[0], Tensor):
        sample = _of_steps(sample, name)
    try:
        return torch.as_tensor(sample)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        _refuse(sample, name)


def _of_steps(steps: Sequence[Any], name: str) -> Tensor:
    kinds = {(step.shape, step.dtype) if isinstance(step, Tensor) else None for step in steps}
    if len(kinds) > 1:
        raise UserError("WS915", "sample_uneven", index=name)
    return torch.stack(list(steps))


def _refuse(sample: Any, name: str) -> NoReturn:
    """What torch cannot read: something that is not a number, or rows of several lengths."""
    for leaf in _leaves(sample):
        if not isinstance(leaf, int | float | complex):
            raise UserError("WS916", "sample_not_numbers", index=name, got=type(leaf).__name__)
        if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
            raise UserError("WS916", "sample_too_large", index=name, got=leaf)
    raise UserError("WS915", "sample_uneven", index=name)


def _leaves(sample: Any) -> Iterator[Any]:
    if not isinstance(sample, list | tuple):
        yield sample
        return
    for part in sample:
        yield from _leaves(part)


def _other_shape(name: str, row: Tensor, needed: tuple[int | str, ...]) -> UserError:
    got = shape_text(tuple(row.shape))
    return UserError("WS915", "sample_shape", index=name, got=got, needed=shape_text(needed))


def most_common(seen: Sequence[Any]) -> Any:
    """What most samples have: the one that differs is the odd one, wherever it stands."""
    return Counter(seen).most_common(1)[0][0] if seen else None


def _of_one_dtype(
    samples: Sequence[Any], rows: Sequence[Tensor], name: Name, dtype: torch.dtype | None
) -> list[Tensor]:
    """The rows in the dtype of the batch; only Python numbers change theirs unless it is asked."""
    is_given = [not hasattr(sample, "dtype") for sample in samples]
    wanted = dtype or _common_dtype(rows, is_given)
    for index, row in enumerate(rows):
        may_change = is_given[index] or dtype is not None
        if row.dtype != wanted and not (may_change and torch.can_cast(row.dtype, wanted)):
            got, needed = dtype_name(row.dtype), dtype_name(wanted)
            raise UserError("WS916", "sample_dtype", index=name(index), got=got, needed=needed)
    return [row if row.dtype == wanted else row.to(wanted) for row in rows]


def _common_dtype(rows: Sequence[Tensor], is_given: Sequence[bool]) -> torch.dtype:
    """The dtype of most tensors; Python numbers alone meet in the widest of their kinds."""
    fixed = [row.dtype for row, given in zip(rows, is_given, strict=True) if not given]
    if fixed:
        return cast(torch.dtype, most_common(fixed))
    return reduce(torch.promote_types, (row.dtype for row in rows), torch.bool)


def dtype_name(dtype: torch.dtype) -> str:
    """`int64`, as torch prints it without its own name."""
    return str(dtype).removeprefix("torch.")


def check_fields(samples: Sequence[Any], *, name: Name = str) -> None:
    """Refuse a sample that is not a dictionary."""
    for index, sample in enumerate(samples):
        if not isinstance(sample, Mapping):
            got = type(sample).__name__
            raise UserError("WS915", "sample_not_fields", index=name(index), got=got)


def field_of(samples: Sequence[Mapping[str, Any]], key: str, *, name: Name = str) -> list[Any]:
    """What each sample holds under `key`."""
    for index, sample in enumerate(samples):
        if key not in sample:
            raise UserError("WS915", "sample_lacks_field", index=name(index), field=key)
    return [sample[key] for sample in samples]
