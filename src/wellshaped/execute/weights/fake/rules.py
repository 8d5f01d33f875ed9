"""Shapes of the operations that fake tensors refuse, because they depend on values.

Each rule is named for its operator in `torch.ops.aten`. Where the deciding tensor is real
(a mask from the data, lengths of sequences) the shape is exact, else a size is picked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.value_ranges import value_range_of

_MASKS = (torch.bool, torch.uint8)


@dataclass(frozen=True, slots=True)
class FakeRule:
    """`prepare` changes the arguments before the fake sees them; `answer` takes its place."""

    answer: Callable[..., Any] | None = None
    prepare: Callable[[Run, tuple[Any, ...]], tuple[Any, ...]] | None = None


def _number(run: Run, tensor: torch.Tensor) -> Any:
    return run.values.number(tensor)


def _comparison(run: Run, *_: Any, **__: Any) -> bool:
    return run.values.branch(run.empty((), torch.bool), None)


def _nonzero(run: Run, tensor: torch.Tensor) -> torch.Tensor:
    return run.empty((run.values.selected(tensor), tensor.dim()), torch.int64)


def _masked_select(run: Run, tensor: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    shape = torch.broadcast_shapes(tensor.shape, mask.shape)
    if run.unknown(mask):
        count = run.values.selected(run.empty(shape, torch.bool))
    else:
        count = int(mask.expand(shape).sum())
    return run.empty((count,), tensor.dtype)


def _positions(run: Run, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """`tensor[mask]` as `tensor[positions]`: fakes cannot count a mask, even a real one."""
    tensor, indices, *rest = args
    found: list[torch.Tensor | None] = []
    for index in indices:
        if index is None or index.dtype not in _MASKS:
            found.append(index)
        else:
            _meet(tensor, index, len(found))
            found += _where(run, index)
    return (tensor, found, *rest)


def _meet(tensor: torch.Tensor, mask: torch.Tensor, axis: int) -> None:
    """Let torch refuse a mask that does not have the sizes of the axes it selects from."""
    if mask.shape != tensor.shape[axis : axis + mask.dim()]:
        key = (*[slice(None)] * axis, torch.zeros(mask.shape, dtype=torch.bool))
        torch.zeros(()).expand(tensor.shape)[key]  # type: ignore[index]


def _where(run: Run, mask: torch.Tensor) -> list[torch.Tensor]:
    if not run.unknown(mask):
        return list(mask.nonzero(as_tuple=True))
    count = run.values.selected(mask)
    return [run.empty((count,), torch.int64) for _ in mask.shape]


def _index_put(
    run: Run, tensor: torch.Tensor, indices: Any, values: torch.Tensor, *rest: Any, **more: Any
) -> torch.Tensor:
    """The shape stays; only values for real positions can be held against them."""
    unknown = any(
        each is not None and each.dtype in _MASKS and run.unknown(each) for each in indices
    )
    (_, positions, *_) = _positions(run, (tensor, indices))
    if not unknown:
        torch.ops.aten.index_put(run.fake(tensor), positions, run.fake(values))
    return tensor


def _index_put_new(run: Run, tensor: torch.Tensor, *args: Any, **more: Any) -> torch.Tensor:
    _index_put(run, tensor, *args, **more)
    return run.empty(tuple(tensor.shape), tensor.dtype)


def _unique(
    run: Run,
    tensor: torch.Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[torch.Tensor, ...]:
    count = run.values.selected(tensor)
    inverse = tuple(tensor.shape) if return_inverse else (0,)
    return (
        run.empty((count,), tensor.dtype),
        run.empty(inverse, torch.int64),
        run.empty((count,) if return_counts else (0,), torch.int64),
    )


def _unique_dim(
    run: Run,
    tensor: torch.Tensor,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[torch.Tensor, ...]:
    sizes = list(tensor.shape)
    length = sizes[dim]
    sizes[dim] = run.values.selected(run.empty((length,), tensor.dtype))
    return (
        run.empty(tuple(sizes), tensor.dtype),
        run.empty((length,) if return_inverse else (0,), torch.int64),
        run.empty((sizes[dim],) if return_counts else (0,), torch.int64),
    )


def _unique_consecutive(
    run: Run,
    tensor: torch.Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[torch.Tensor, ...]:
    if dim is None:
        return _unique(run, tensor, False, return_inverse, return_counts)
    return _unique_dim(run, tensor, dim, False, return_inverse, return_counts)


def _repeats(run: Run, repeats: torch.Tensor, *, output_size: int | None = None) -> torch.Tensor:
    if output_size is None:
        run.values.note("size", repeats)
    size = repeats.numel() if output_size is None else output_size
    return run.empty((size,), torch.int64)


def _bincount(
    run: Run, tensor: torch.Tensor, weights: torch.Tensor | None = None, minlength: int = 0
) -> torch.Tensor:
    run.values.note("size", tensor)
    size = max(minlength, value_range_of(tensor).high or 2)
    return run.empty((size,), torch.int64 if weights is None else torch.float64)


def _pack(
    run: Run, padded: torch.Tensor, lengths: torch.Tensor, batch_first: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Real lengths on a real batch without features: sizes and refusals are torch's own."""
    batch, steps = padded.shape[:2] if batch_first else padded.shape[:2][::-1]
    if run.unknown(lengths):
        run.values.note("size", lengths)
        lengths = torch.full((batch,), steps)
    rows, sizes = torch._C._VariableFunctions._pack_padded_sequence(
        torch.zeros(padded.shape[:2]), lengths, batch_first
    )
    return run.empty((rows.shape[0], *padded.shape[2:]), padded.dtype), sizes


def _embedding(run: Run, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Real class numbers are held against the length of a table that has no values."""
    weight, indices = args[:2]
    if weight.dim() == 2 and not run.unknown(indices):
        torch.embedding(torch.zeros(weight.shape[0], 1), indices)
    return args


def _view(run: Run, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Fakes view what is not contiguous (torch 2.13); a tensor on `meta` refuses as a real one."""
    tensor = args[0]
    shape, stride = tuple(tensor.shape), tensor.stride()
    torch.empty_strided(shape, stride, dtype=tensor.dtype, device="meta").view(*args[1:])
    return args


RULES: dict[str, FakeRule] = {
    "_local_scalar_dense": FakeRule(_number),
    "equal": FakeRule(_comparison),
    "allclose": FakeRule(_comparison),
    "nonzero": FakeRule(_nonzero),
    "masked_select": FakeRule(_masked_select),
    "index": FakeRule(prepare=_positions),
    "_unsafe_index": FakeRule(prepare=_positions),
    "index_put": FakeRule(_index_put_new),
    "_unsafe_index_put": FakeRule(_index_put_new),
    "index_put_": FakeRule(_index_put),
    "_index_put_impl_": FakeRule(_index_put),
    "_unique2": FakeRule(_unique),
    "unique_dim": FakeRule(_unique_dim),
    "unique_consecutive": FakeRule(_unique_consecutive),
    "repeat_interleave": FakeRule(_repeats),
    "bincount": FakeRule(_bincount),
    "_pack_padded_sequence": FakeRule(_pack),
    "embedding": FakeRule(prepare=_embedding),
    "view": FakeRule(prepare=_view),
}
