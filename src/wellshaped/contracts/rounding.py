"""How far apart two kernels may round one result: the last digits differ from CPU to CPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def share(*tensors: torch.Tensor) -> float:
    """The share of the largest value below which a difference is another order of adding.

    Two thirds of the digits count, 2e-5 in float32 and 0.04 in bfloat16: sums of thousands of
    terms agree in them in any order, and values of other rows do not. Autocast computes more
    coarsely than the tensors it gives back say.
    """
    import torch

    coarsest = max((torch.finfo(each).eps for each in _dtypes(tensors)), default=0.0)
    return float(coarsest ** (2 / 3))


def near(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors of one shape hold the same values, but for rounding."""
    import torch

    if one.shape != other.shape:
        return False
    if one.numel() == 0 or not (_rounds(one) and _rounds(other)):
        return torch.equal(one, other)
    return torch.allclose(one, other, rtol=0.0, atol=share(one, other) * _largest(one))


def fine(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The same values in float64, where the rows of a batch differ by far more than rounding.

    Taken before a change and after it: a change may compute, or choose a dtype.
    """
    return {
        name: each.double() if each.is_floating_point() else each for name, each in tensors.items()
    }


def _largest(tensor: torch.Tensor) -> float:
    """The largest finite size of a value."""
    return float(tensor.detach().abs().nan_to_num(0.0, 0.0).max())


def _rounds(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _dtypes(tensors: tuple[torch.Tensor, ...]) -> Iterator[torch.dtype]:
    import torch

    yield from (each.dtype for each in tensors if _rounds(each))
    for device in {each.device.type for each in tensors}:
        if torch.is_autocast_enabled(device):
            yield torch.get_autocast_dtype(device)
