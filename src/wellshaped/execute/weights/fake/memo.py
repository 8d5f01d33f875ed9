"""Remembers what an operation gave for arguments of the same layout.

The memory of fakes (torch 2.13) costs 0.1 ms a call to look into; a loop of a thousand steps asks
the same few dozen questions. Views are not remembered: they share storage with their argument.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from wellshaped.execute.weights.fake.run import Run

UNKNOWN: Any = object()
_RESHAPING = ("resize_", "set_", "resize_as_", "as_strided_")


class Memo:
    """What the operations of one run gave, by their arguments."""

    def __init__(self, run: Run):
        self._run = run
        self._known: dict[Any, tuple[Any, ...] | None] = {}

    def key(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the layout of the result depends on; None where it cannot be told."""
        kind = _kind(func)
        if kind == "other" or (kind == "in place" and not isinstance(args[0], FakeTensor)):
            return None
        loose = _loose(func)
        try:
            key = (
                func,
                tuple([_part(each, place in loose) for place, each in enumerate(args)]),
                tuple([(name, _part(each, name in loose)) for name, each in kwargs.items()]),
            )
            hash(key)
        except (TypeError, RuntimeError):
            return None
        return key

    def recall(self, key: Any, args: tuple[Any, ...]) -> Any:
        """The result for these arguments, or UNKNOWN."""
        known = self._known.get(key, UNKNOWN) if key is not None else UNKNOWN
        if known is UNKNOWN:
            return UNKNOWN
        if known is None:
            return args[0]
        made = [self._run.laid_out(*each) for each in known]
        return made[0] if _kind(key[0]) == "one" else tuple(made)

    def learn(self, key: Any, result: Any) -> None:
        """Remember a result."""
        if key is None:
            return
        if _kind(key[0]) == "in place":
            self._known[key] = None
            return
        results = result if isinstance(result, (tuple, list)) else (result,)
        if all(_is_plain(each) for each in results):
            self._known[key] = tuple(
                [(tuple(each.shape), each.stride(), each.dtype) for each in results]
            )


def _is_plain(value: Any) -> bool:
    return (
        isinstance(value, FakeTensor)
        and value.layout is torch.strided
        and value.device.type == "cpu"
        and value.storage_offset() == 0
    )


@cache
def _kind(func: Any) -> str:
    """`one` or `several` new tensors, the first argument `in place`, or `other`."""
    schema = func._schema
    if (
        func.is_view
        or torch.Tag.inplace_view in func.tags
        or func.overloadpacket.__name__ in _RESHAPING
    ):
        return "other"
    written = [each.name for each in schema.arguments if each.alias_info is not None]
    returned = [str(each.type) for each in schema.returns]
    if not written and returned and all(each == "Tensor" for each in returned):
        return "one" if len(returned) == 1 else "several"
    in_place = torch.Tag.inplace in func.tags and written == ["self"] and returned == ["Tensor"]
    return "in place" if in_place else "other"


@cache
def _loose(func: Any) -> frozenset[Any]:
    """Places and names of arguments whose number does not matter to the layout, only its type."""
    return frozenset(
        name
        for place, each in enumerate(func._schema.arguments)
        if str(each.type) in ("number", "Tensor")
        for name in (place, each.name)
    )


def _part(value: Any, loose: bool) -> Any:
    if isinstance(value, torch.Tensor):
        return value.shape, value.stride(), value.dtype, value.is_conj()
    if isinstance(value, (list, tuple)):
        return tuple([_part(each, False) for each in value])
    if loose and isinstance(value, (bool, int, float, complex)):
        return type(value)
    return type(value), value
