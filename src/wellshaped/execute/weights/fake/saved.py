"""Checkpoints without weights: a file keeps shape and dtype, and gives fake tensors back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch

from wellshaped.execute.devices import located
from wellshaped.execute.weights.fake.run import Run


def pickled(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """How a fake tensor is pickled: as a real one that `torch.load` accepts without questions."""
    tensor, protocol = args
    if isinstance(tensor, torch.nn.Parameter):
        hooks: OrderedDict[str, Any] = OrderedDict()
        return torch._utils._rebuild_parameter, (_thin(tensor), tensor.requires_grad, hooks)
    return func(_thin(tensor), protocol)


def _thin(tensor: torch.Tensor) -> torch.Tensor:
    """The second of two zeros, stretched to the shape: nobody else saves such a tensor."""
    shape = tuple(tensor.shape)
    return torch.zeros(2, dtype=tensor.dtype).as_strided(shape, (0,) * len(shape), 1)


def restored(run: Run, tensor: torch.Tensor) -> torch.Tensor:
    """A fake tensor for one that was saved without values; others as they are."""
    if run.unknown(tensor) or tensor.layout is not torch.strided or any(tensor.stride()):
        return tensor
    stored = tensor.untyped_storage().nbytes() == 2 * tensor.itemsize
    thin = tensor.numel() > 1 and tensor.storage_offset() == 1 and stored
    return run.empty(tuple(tensor.shape), tensor.dtype) if thin else tensor


def load_patch(run: Run) -> Callable[..., Any]:
    """A `torch.load` for files that were saved in this run, and for files of absent devices."""
    plain = torch.load

    def load(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        place = located(run.devices, map_location)
        return _all_restored(run, plain(f, place, *args, **kwargs))

    return load


def _all_restored(run: Run, loaded: Any) -> Any:
    if isinstance(loaded, torch.Tensor):
        return restored(run, loaded)
    if isinstance(loaded, dict):
        for name, value in loaded.items():
            loaded[name] = _all_restored(run, value)
    elif type(loaded) in (list, tuple):
        return type(loaded)(_all_restored(run, each) for each in loaded)
    return loaded
