"""Devices that this machine does not have are the processor to a dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from wellshaped.observe.weightless_run import Run

_CPU = torch.device("cpu")
_ALWAYS = ("cpu", "meta")

# What programs call on the modules of absent devices, and what it gives.
_QUIET: dict[str, Any] = {
    "synchronize": None,
    "empty_cache": None,
    "set_device": None,
    "reset_peak_memory_stats": None,
    "reset_max_memory_allocated": None,
    "current_device": 0,
    "get_device_name": "cpu",
    "get_device_capability": (0, 0),
    "mem_get_info": (0, 0),
    "current_allocated_memory": 0,
    "driver_allocated_memory": 0,
    "set_per_process_memory_fraction": None,
}


def is_absent(device: Any) -> bool:
    """Whether a device was named that is not there; a number names an accelerator."""
    if isinstance(device, bool) or not isinstance(device, (str, int, torch.device)):
        return False
    if isinstance(device, int):
        return not torch.accelerator.is_available()
    try:
        kind = torch.device(device).type
    except RuntimeError:
        return False  # not a device: torch says so itself
    if kind in _ALWAYS:
        return False
    return not torch.get_device_module(kind).is_available()


def present(run: Run, device: Any) -> Any:
    """The device that stands for this one here."""
    if not is_absent(device):
        return device
    run.devices.add("accelerator" if isinstance(device, int) else torch.device(device).type)
    return _CPU


def to_arguments(run: Run, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The arguments of `.to(…)` with absent devices replaced."""
    if "device" in kwargs:
        kwargs = {**kwargs, "device": present(run, kwargs["device"])}
    return (present(run, args[0]), *args[1:]) if args else args, kwargs


def device_patches(run: Run) -> Iterator[tuple[Any, str, Any]]:
    """What to replace while the run lasts: owner, name, replacement."""
    yield torch._C._nn, "_parse_to", _parse(run, torch._C._nn._parse_to)
    context: Any = torch.utils._device.DeviceContext
    yield context, "__init__", _context(run, context.__init__)
    if is_absent("cuda"):
        yield torch, "Generator", _generator(run)
    for module, kind in ((torch.cuda, "cuda"), (torch.mps, "mps"), (torch.xpu, "xpu")):
        if is_absent(kind):
            for name, value in _QUIET.items():
                if hasattr(module, name):
                    yield module, name, _quiet(value)


def _quiet(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _parse(run: Run, parse: Any) -> Callable[..., Any]:
    """`module.to(0)` is read by this function, which asks for the accelerator at once."""

    def parse_to(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = to_arguments(run, args, kwargs)
        return parse(*args, **kwargs)

    return parse_to


def _context(run: Run, initialise: Any) -> Callable[..., None]:
    """`with torch.device("cuda")` and `set_default_device` work below our own mode."""

    def init(self: Any, device: Any) -> None:
        initialise(self, present(run, device))

    return init


def _generator(run: Run) -> Any:
    plain = torch.Generator

    class Kind(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, plain)

    class Generator(metaclass=Kind):
        def __new__(cls, device: Any = "cpu") -> Any:
            return plain(present(run, device))

    return Generator
