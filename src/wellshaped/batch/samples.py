"""The samples of a batch as tensors that fit together, or the one that does not by its index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn

import torch
from torch import Tensor

from wellshaped.records.phrase import Told

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
    rows = [_tensor(sample, name(index)) for index, sample in enumerate(samples)]
    _check_shapes(rows, name, trailing)
    given = [isinstance(sample, list | tuple) for sample in samples]
    return [row.to(wanted) for row, wanted in _with_dtype(rows, given, name, dtype)]


def _tensor(sample: Any, name: str) -> Tensor:
    if isinstance(sample, list | tuple) and sample and isinstance(sample[0], Tensor):
        sample = _stacked(sample, name)
    try:
        row = torch.as_tensor(sample)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        _refuse(sample, name)
    if row.ndim == 0:
        raise Told("WS915", "sample_without_axis", index=name)
    if row.shape[0] == 0:
        raise Told("WS917", "sample_empty", index=name)
    return row


def _stacked(steps: Sequence[Any], name: str) -> Tensor:
    kinds = {(step.shape, step.dtype) if isinstance(step, Tensor) else None for step in steps}
    if len(kinds) > 1:
        raise Told("WS915", "sample_uneven", index=name)
    return torch.stack(list(steps))


def _refuse(sample: Any, name: str) -> NoReturn:
    """What torch cannot read: something that is not a number, or rows of several lengths."""
    for leaf in _leaves(sample):
        if not isinstance(leaf, int | float | complex):
            raise Told("WS916", "sample_not_numbers", index=name, got=type(leaf).__name__)
        if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
            raise Told("WS916", "sample_too_large", index=name, got=leaf)
    raise Told("WS915", "sample_uneven", index=name)


def _leaves(sample: Any) -> Iterator[Any]:
    if not isinstance(sample, list | tuple):
        yield sample
        return
    for part in sample:
        yield from _leaves(part)


def _check_shapes(rows: Sequence[Tensor], name: Name, trailing: tuple[int, ...] | None) -> None:
    if trailing is None:
        trailing = _most([tuple(row.shape[1:]) for row in rows])
    for index, row in enumerate(rows):
        if tuple(row.shape[1:]) != trailing:
            needed = f"({', '.join(map(str, ('T', *trailing)))}{'' if trailing else ','})"
            got = tuple(row.shape)
            raise Told("WS915", "sample_shape", index=name(index), got=got, needed=needed)


def _most(seen: Sequence[Any]) -> Any:
    """What most samples have: the one that differs is the odd one, wherever it stands."""
    return Counter(seen).most_common(1)[0][0] if seen else None


def _with_dtype(
    rows: Sequence[Tensor], given: Sequence[bool], name: Name, dtype: torch.dtype | None
) -> Iterator[tuple[Tensor, torch.dtype]]:
    """Each row with the dtype of the batch; `given` says which came as Python numbers."""
    wanted = dtype or _common_dtype(rows, given)
    for index, (row, is_given) in enumerate(zip(rows, given, strict=True)):
        may_change = is_given or dtype is not None
        fits = torch.can_cast(row.dtype, wanted) if may_change else row.dtype == wanted
        if not fits:
            got, needed = dtype_name(row.dtype), dtype_name(wanted)
            raise Told("WS916", "sample_dtype", index=name(index), got=got, needed=needed)
        yield row, wanted


def _common_dtype(rows: Sequence[Tensor], given: Sequence[bool]) -> torch.dtype:
    """The dtype of most tensors; Python numbers alone meet in the widest of their kinds."""
    fixed = [row.dtype for row, is_given in zip(rows, given, strict=True) if not is_given]
    if fixed:
        return _most(fixed)  # type: ignore[no-any-return]
    return reduce(torch.promote_types, (row.dtype for row in rows), torch.bool)


def dtype_name(dtype: torch.dtype) -> str:
    """`int64`, as torch prints it without its own name."""
    return str(dtype).removeprefix("torch.")


def check_fields(samples: Sequence[Any], *, name: Name = str) -> None:
    """Refuse a sample that is not a dictionary."""
    for index, sample in enumerate(samples):
        if not isinstance(sample, Mapping):
            got = type(sample).__name__
            raise Told("WS915", "sample_not_fields", index=name(index), got=got)


def field_of(samples: Sequence[Mapping[str, Any]], key: str, *, name: Name = str) -> list[Any]:
    """What each sample holds under `key`."""
    for index, sample in enumerate(samples):
        if key not in sample:
            raise Told("WS915", "sample_lacks_field", index=name(index), field=key)
    return [sample[key] for sample in samples]
