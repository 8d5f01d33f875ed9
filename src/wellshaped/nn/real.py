"""Which positions are real: one mask, from lengths or from a mask, for padding on either side.

B rows, T positions. Everything in `wellshaped.nn` takes `real` in one of three forms: the lengths
(B,) of rows padded on the right, whole numbers; a mask (B, T), true (or 1) where a position is
real; or the `batch.Padded` it is about. It is never found from the values: 0 may be a token, and
padding may hold anything.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wellshaped.batch.ragged import Padded, mask_of
from wellshaped.records.phrase import UserError
from wellshaped.records.shape import shape_text

Real = Tensor | Padded
_WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def as_tensor(real: Real) -> Tensor:
    """Lengths or a mask; of a `Padded` its lengths, if they say it all."""
    if isinstance(real, Padded):
        return real.lengths if real.side == "right" else real.mask
    return real


def as_mask(real: Real, values: Tensor) -> Tensor:
    """The mask (B, T) of `values` (B, T, ...), true where a position is real."""
    told = as_tensor(real)
    rows, size = values.shape[0], values.shape[1]
    if told.dim() == 1 and told.dtype in _WHOLE and told.shape[0] == rows:
        _check_lengths(told, size)
        return mask_of(told.to(values.device), size)  # (B, T)
    if told.dim() == 2 and told.dtype in (torch.bool, *_WHOLE) and told.shape == values.shape[:2]:
        return told.to(device=values.device, dtype=torch.bool)  # (B, T)
    raise unreadable(told, (rows, size))


def values_and_real(targets: Tensor | Padded, real: Real | None) -> tuple[Tensor, Real]:
    """Targets as a tensor, with what is real in them, which a `Padded` tells itself."""
    if isinstance(targets, Padded):
        return targets.values, targets if real is None else real
    if real is None:
        raise unreadable(None, tuple(targets.shape))
    return targets, real


def without_padding(values: Tensor, mask: Tensor) -> Tensor:
    """`values` with zeros where the mask, which has its first axes, is false.

    Not by multiplication: NaN and infinity in the padding would survive it, and come back in the
    gradients of weights.
    """
    aligned = mask.reshape(*mask.shape, *(1,) * (values.dim() - mask.dim()))
    return values.masked_fill(~aligned, 0)


def unreadable(
    real: Tensor | None, wanted: tuple[int, ...], *, message: str = "real_unreadable"
) -> UserError:
    """The error of a mask, or of lengths, that do not tell what is real in the `wanted` shape."""
    got = "None" if real is None else f"{shape_text(tuple(real.shape))} {dtype_of(real)}"
    return UserError("WS922", message, got=got, wanted=shape_text(wanted))


def _check_lengths(lengths_B: Tensor, size: int) -> None:
    """Refuse lengths that the positions do not have, where looking at them stops nothing."""
    if torch.compiler.is_compiling() or lengths_B.device.type != "cpu":
        return
    odd_B = (lengths_B < 0) | (lengths_B > size)
    if odd_B.any():
        row = int(odd_B.int().argmax())
        raise UserError("WS922", "length_beyond", row=row, got=int(lengths_B[row]), size=size)


def dtype_of(tensor: Tensor) -> str:
    """The name of its dtype, as torch prints it without `torch.`."""
    return str(tensor.dtype).removeprefix("torch.")
