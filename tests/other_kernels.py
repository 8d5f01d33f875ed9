"""Another CPU on this one: a plugin under which kernels round otherwise for every other shape.

`pytest -p tests.other_kernels` moves results that were rounded to a neighbouring float, by the
operator, the shapes it was given and the place in the result. The same call gives the same bits
again, as any kernel does; two calls of other shapes do not, as on a CPU with wider vectors. An
operator that raises does so from here, so tests of tracebacks do not go with it.
"""

from __future__ import annotations

import warnings
import zlib
from typing import Any, Final

import torch
from torch.library import Library, get_kernel

# Operators whose last bit depends on the order of adding, on a fused step or on a table.
_NAMES: Final = """
    mm addmm bmm baddbmm mv addmv dot linalg_vector_norm sum.dim_IntList prod prod.dim_int cumsum
    var.correction std.correction var_mean.correction native_layer_norm native_batch_norm
    native_group_norm convolution convolution_backward
    _scaled_dot_product_flash_attention_for_cpu _softmax _log_softmax _softmax_backward_data
    _log_softmax_backward_data native_layer_norm_backward exp exp2 expm1 log log1p log2 log10
    sigmoid tanh gelu silu softplus elu erf sin cos rsqrt pow.Tensor_Scalar pow.Tensor_Tensor
    mse_loss smooth_l1_loss huber_loss soft_margin_loss multi_margin_loss nll_loss2d_forward
    multilabel_margin_loss_forward binary_cross_entropy nll_loss_forward _ctc_loss _cdist_forward
    log_sigmoid_forward _embedding_bag lerp.Scalar lerp.Tensor
""".split()  # noqa: SIM905 - a table
# A float32 whose last eight bits are zero is a whole number or a short fraction, found exactly.
_EXACT: Final = 0xFF
_LIBRARY: Final = Library("aten", "IMPL")


def _seed(name: str, arguments: tuple[Any, ...]) -> int:
    shapes = [tuple(each.shape) for each in arguments if isinstance(each, torch.Tensor)]
    return zlib.crc32(repr((name, shapes)).encode())


def _nudged(result: Any, seed: int) -> Any:
    if isinstance(result, (tuple, list)):
        return type(result)(_nudged(each, seed) for each in result)
    if isinstance(result, torch.Tensor) and result.dtype == torch.float32 and result.numel():
        _nudge(result, seed)
    return result


def _nudge(result: torch.Tensor, seed: int) -> None:
    """Moves each rounded number of a result to a neighbour, in place: its strides are kept."""
    bits = result.detach().contiguous().view(torch.int32)
    places = torch.arange(bits.numel(), dtype=torch.int64).reshape(bits.shape)
    step = ((places * 2654435761 + seed * 40503) >> 7) % 3 - 1
    rounded = (bits & _EXACT != 0) & result.isfinite()
    moved = torch.where(rounded, bits + step.to(torch.int32), bits)
    result.detach().copy_(moved.view(torch.float32))


def _replace(name: str) -> None:
    kernel = get_kernel(f"aten::{name}", "CPU")

    def other(keyset: Any, *arguments: Any, **options: Any) -> Any:
        result = kernel.call_boxed(keyset, *arguments, **options)
        return _nudged(result, _seed(name, arguments))

    _LIBRARY.impl(name, other, "CPU", with_keyset=True)


def install() -> None:
    """Replaces the kernels, for this process and those that it forks."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s).*[Oo]verriding a previously registered")
        for name in _NAMES:
            _replace(name)


install()
