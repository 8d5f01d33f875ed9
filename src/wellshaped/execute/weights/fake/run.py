"""The state of one dry run: its fake tensors, its stand-ins, and what it came across."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    FakeTensor,
    FakeTensorMode,
    in_kernel_invocation_manager,
)
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils.weak import WeakIdKeyDictionary

from wellshaped.execute.weights.fake.values import StandIn, StandIns

_CPU = torch.device("cpu")


class Run:
    """A dry run, while it lasts and afterwards.

    `parameter_count` is the number of elements of every parameter that a module was given,
    copies included. `devices` are the absent devices that the program asked for.
    """

    def __init__(self, seed: int = 0):
        # No `shape_env`: every size is a number, as the program's own code expects.
        self.fakes = FakeTensorMode(allow_non_fake_inputs=True)
        self.values = StandIns(seed)
        self.devices: set[str] = set()
        self.parameter_count = 0
        self.tried: dict[Any, Any] = {}  # calls that real tensors were tried on, and what came
        self._counted: WeakIdKeyDictionary = WeakIdKeyDictionary()
        self._written: dict[int, StorageWeakRef] = {}

    @property
    def stand_ins(self) -> tuple[StandIn, ...]:
        """Each line of the user's program that was answered with a stand-in."""
        return self.values.records

    def count(self, parameter: torch.Tensor) -> None:
        """Count a parameter, once."""
        if parameter not in self._counted:
            self._counted[parameter] = True
            self.parameter_count += parameter.numel()

    def unknown(self, tensor: torch.Tensor) -> bool:
        """Whether the values of a tensor are not there, or were overwritten with such."""
        if isinstance(tensor, FakeTensor):
            return True
        if not self._written or not torch._C._has_storage(tensor):
            return False
        return tensor.untyped_storage()._cdata in self._written

    def overwritten(self, tensor: torch.Tensor) -> None:
        """Note that a real tensor, and all its views, were written to with unknown values."""
        if isinstance(tensor, FakeTensor) or not torch._C._has_storage(tensor):
            return
        storage = tensor.untyped_storage()
        if storage._cdata not in self._written:
            # A weak reference keeps the address from being given to another storage.
            self._written[storage._cdata] = StorageWeakRef(storage)
            if len(self._written) % 64 == 0:
                self._forget()

    def _forget(self) -> None:
        gone = [key for key, storage in self._written.items() if storage.expired()]
        for key in gone:
            del self._written[key]

    def empty(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A new fake tensor."""
        with self.fakes:
            return torch.empty(shape, dtype=dtype, device="cpu")

    def like(self, tensor: torch.Tensor) -> torch.Tensor:
        """A new fake tensor with the layout of another one."""
        shape, stride = tuple(tensor.shape), tensor.stride()
        return self.strided(shape, stride, tensor.dtype, tensor.device)

    def strided(
        self,
        shape: tuple[int, ...],
        stride: tuple[int, ...],
        dtype: torch.dtype,
        device: torch.device = _CPU,
    ) -> torch.Tensor:
        """A new fake tensor of this layout."""
        with self.fakes:
            return torch.empty_strided(shape, stride, dtype=dtype, device=device)

    def laid_out(
        self, shape: tuple[int, ...], stride: tuple[int, ...], dtype: torch.dtype
    ) -> torch.Tensor:
        """A new fake tensor, without the way through the mode: for use below all modes."""
        meta = torch.empty_strided(shape, stride, dtype=dtype, device="meta")
        return FakeTensor(self.fakes, meta, _CPU)

    def viewed(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A view of the fake tensor that comes first, without the way through the mode.

        Through it a view takes 0.3 ms (torch 2.13), and every third operation is one.
        """
        with in_kernel_invocation_manager(self.fakes):
            found = func(*args, **kwargs)
        device = args[0].fake_device
        if isinstance(found, torch.Tensor):
            return FakeTensor(self.fakes, found, device)
        return [FakeTensor(self.fakes, each, device) for each in found]

    def fake(self, tensor: torch.Tensor) -> torch.Tensor:
        """The fake tensor that stands for a real one: always the same."""
        return tensor if isinstance(tensor, FakeTensor) else self.fakes.from_tensor(tensor)
