"""Which positions are real: one mask, from lengths or from a mask, for padding on either side.

B rows, T positions. Everything in `wellshaped.nn` takes `real` in one of two forms: the lengths
(B,) of rows padded on the right, whole numbers, or a mask (B, T), true (or 1) where a position is
real; `lengths` and `mask` of a `batch.Padded` are such. It is never found from the values: 0 may be
a token, and padding may hold anything.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wellshaped.batch.ragged import mask_of
from wellshaped.records.phrase import Told
from wellshaped.records.shape import shape_text

_WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def as_mask(real: Tensor, values: Tensor) -> Tensor:
    """The mask (B, T) of `values` (B, T, ...), true where a position is real."""
    rows, size = values.shape[0], values.shape[1]
    if real.dim() == 1 and real.dtype in _WHOLE and real.shape[0] == rows:
        return mask_of(real.to(values.device), size)  # (B, T)
    if real.dim() == 2 and real.dtype in (torch.bool, *_WHOLE) and real.shape == values.shape[:2]:
        return real.to(device=values.device, dtype=torch.bool)  # (B, T)
    raise unreadable(real, (rows, size))


def without_padding(values: Tensor, mask: Tensor) -> Tensor:
    """`values` with zeros where the mask, which has its first axes, is false.

    Not by multiplication: NaN and infinity in the padding would survive it, and come back in the
    gradients of weights.
    """
    aligned = mask.reshape(*mask.shape, *(1,) * (values.dim() - mask.dim()))
    return values.masked_fill(~aligned, 0)


def unreadable(
    real: Tensor | None, wanted: tuple[int, ...], *, message: str = "real_unreadable"
) -> Told:
    """The error of a mask, or of lengths, that do not tell what is real in the `wanted` shape."""
    got = "None" if real is None else f"{shape_text(tuple(real.shape))} {dtype_of(real)}"
    return Told("WS922", message, got=got, wanted=shape_text(wanted))


def dtype_of(tensor: Tensor) -> str:
    """The name of its dtype, as torch prints it without `torch.`."""
    return str(tensor.dtype).removeprefix("torch.")
