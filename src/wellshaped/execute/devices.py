"""Devices that this machine does not have are the processor to a dry run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device

from wellshaped.execute.patches import Patch, patched
from wellshaped.source import is_library
from wellshaped.source.branch_expectation import expected_branch

Asked = set[str]  # the absent devices that a program asked for
_CPU = torch.device("cpu")
_ALWAYS = ("cpu", "meta")


class _Idle:
    """A stream, an event, a device to be entered: nothing waits and no time passes."""

    def __init__(self, *_: Any, **__: Any):
        pass

    def __enter__(self) -> _Idle:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def record(self, *_: Any) -> None:
        """`event.record()`."""

    def query(self) -> bool:
        """Whether all work is done."""
        return True

    def elapsed_time(self, _: Any) -> float:
        """Milliseconds between two events."""
        return 1.0  # programs divide by it

    wait = wait_event = wait_stream = record_stream = synchronize = record


# What programs call on the modules of absent devices, and what it gives.
_QUIET: dict[str, Any] = {
    **dict.fromkeys(("synchronize", "empty_cache", "set_device", "ipc_collect")),
    **dict.fromkeys(("reset_peak_memory_stats", "reset_max_memory_allocated")),
    **dict.fromkeys(("set_per_process_memory_fraction", "set_rng_state", "seed")),
    "current_device": 0,
    "get_device_name": "cpu",
    "get_device_capability": (0, 0),
    "mem_get_info": (0, 0),
    "current_allocated_memory": 0,
    "driver_allocated_memory": 0,
    "recommended_max_memory": 0,
    "memory_summary": "",
}
_IDLE = ("Event", "Stream", "current_stream", "default_stream", "device")


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
    return not _is_there(kind)


def _is_there(kind: str) -> bool:
    """Whether a kind of device is there, whatever a program that insists on it is told."""
    available = torch.get_device_module(kind).is_available
    return bool(getattr(available, "plain", available)())


def present(asked: Asked, device: Any) -> Any:
    """The device that stands for this one here."""
    if not is_absent(device):
        return device
    asked.add("accelerator" if isinstance(device, int) else torch.device(device).type)
    return _CPU


@contextlib.contextmanager
def mapped_devices() -> Iterator[Asked]:
    """Let a program with real weights run as if the devices it asks for were here."""
    asked: Asked = set()
    with contextlib.ExitStack() as stack:
        for patch in device_patches(asked):
            stack.enter_context(patched(patch))
        stack.enter_context(patched((torch, "load", _load(asked))))
        stack.enter_context(_Mapping(asked))
        yield asked


class _Mapping(TorchFunctionMode):
    """Sees every call that can name a device."""

    def __init__(self, asked: Asked):
        super().__init__()
        self._asked = asked

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if kwargs and "device" in kwargs:
            kwargs = {**kwargs, "device": present(self._asked, kwargs["device"])}
        answer = DEVICE_CALLS.get(func)
        if answer is not None:
            return answer(self._asked, func, args, kwargs or {})
        return func(*args, **kwargs) if kwargs else func(*args)


def to_arguments(asked: Asked, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The arguments of `.to(…)` with absent devices replaced."""
    if "device" in kwargs:
        kwargs = {**kwargs, "device": present(asked, kwargs["device"])}
    return (present(asked, args[0]), *args[1:]) if args else args, kwargs


def _to(asked: Asked, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    rest, kwargs = to_arguments(asked, args[1:], kwargs)
    return func(args[0], *rest, **kwargs)


def _cuda(asked: Asked, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    kind = func.__name__
    if present(asked, kind) == kind:
        return func(*args, **kwargs)
    return args[0]


def _pinned(asked: Asked, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return func(*args, **kwargs) if torch.accelerator.is_available() else args[0]


# Methods that take a tensor to a device, and what is done in their place.
DEVICE_CALLS: dict[Any, Callable[[Asked, Any, tuple[Any, ...], dict[str, Any]], Any]] = {
    torch.Tensor.to: _to,
    torch.Tensor.cuda: _cuda,
    torch.Tensor.xpu: _cuda,
    torch.Tensor.pin_memory: _pinned,
}


def device_patches(asked: Asked) -> Iterator[Patch]:
    """What to replace while the run lasts: owner, name, replacement."""
    yield torch._C._nn, "_parse_to", _parse(asked, torch._C._nn._parse_to)
    context: Any = _device.DeviceContext
    yield context, "__init__", _context(asked, context.__init__)
    if is_absent("cuda"):
        yield torch, "Generator", _generator(asked)
    for module, kind in ((torch.cuda, "cuda"), (torch.mps, "mps"), (torch.xpu, "xpu")):
        if is_absent(kind):
            yield from _module_patches(module)
    if is_absent("mps"):
        yield torch.backends.mps, "is_available", _available(torch.backends.mps.is_available)


def _module_patches(module: Any) -> Iterator[Patch]:
    yield module, "is_available", _available(module.is_available)
    for name, value in _QUIET.items():
        if hasattr(module, name):
            yield module, name, _quiet(value)
    for name in _IDLE:
        if hasattr(module, name):
            yield module, name, _Idle


def _quiet(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _available(plain: Any) -> Callable[[], bool]:
    """The truth, unless the user's line gives up on it: `assert torch.cuda.is_available()`."""

    def is_available() -> bool:
        frame = sys._getframe(1)
        insists = not is_library(frame.f_code.co_filename) and expected_branch(frame) is True
        return insists or bool(plain())

    is_available.plain = plain  # type: ignore[attr-defined]
    return is_available


def _parse(asked: Asked, parse: Any) -> Callable[..., Any]:
    """`module.to(0)` is read by this function, which asks for the accelerator at once."""

    def parse_to(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = to_arguments(asked, args, kwargs)
        return parse(*args, **kwargs)

    return parse_to


def _context(asked: Asked, initialise: Any) -> Callable[..., None]:
    """`with torch.device("cuda")` and `set_default_device` work below our own mode."""

    def init(self: Any, device: Any) -> None:
        initialise(self, present(asked, device))

    return init


def _generator(asked: Asked) -> Any:
    plain = torch.Generator

    class Kind(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, plain)

    class Generator(metaclass=Kind):
        def __new__(cls, device: Any = "cpu") -> Any:
            return plain(present(asked, device))

    return Generator


def _load(asked: Asked) -> Callable[..., Any]:
    plain = torch.load

    def load(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        return plain(f, located(asked, map_location), *args, **kwargs)

    return load


def located(asked: Asked, map_location: Any) -> Any:
    """Where `torch.load` puts tensors of a file that was written on another machine."""
    if map_location is None and is_absent("cuda"):
        return "cpu"
    return present(asked, map_location)
