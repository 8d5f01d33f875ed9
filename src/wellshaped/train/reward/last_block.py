"""The last block of a decoder, computed only where its outcome is read: at the end of each text.

Legend: T tokens of the batch, N texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from .attention import Keys, asking_for_keys, with_keys
from .layout import Layout


def last_block(backbone: nn.Module, *, layers: int) -> nn.Module | None:
    """The last of the blocks, where they are a list of the length that the configuration says."""
    lists = [m for m in backbone.modules() if isinstance(m, nn.ModuleList) and len(m) == layers]
    return lists[0][-1] if len(lists) == 1 else None


def prune(block: nn.Module) -> None:
    """Teach a block to skip, where the layout allows it, all tokens that nobody reads.

    Its class is exchanged for a subclass: names of weights, hooks, copies and gradient
    checkpointing go on as before, which a wrapper around it or a new `forward` would not allow.
    """
    kind = type(block)
    if hasattr(kind, "whole"):
        return
    body = {"forward": _forward, "__module__": kind.__module__, "whole": kind.forward}
    block.__class__ = type(kind.__name__, (kind,), body)


def _forward(block: Any, *args: Any, **kwargs: Any) -> Any:
    layouts = (Layout.from_mask(given) for given in (*args, *kwargs.values()))
    layout = next((one for one in layouts if one), None)
    if layout is None or not layout.ends_only:
        return block.whole(*args, **kwargs)
    keys = _keys(block, args, kwargs)
    ends = layout.ends.to(keys.key.device)

    def at_ends(tensor: Tensor) -> Tensor:
        if tensor.dim() < 2 or tensor.size(1) != layout.tokens:
            return tensor
        return tensor.index_select(1, ends)  # (1, T, ...) -> (1, N, ...)

    def spread(tensor: Tensor) -> Tensor:
        # The models go on with T tokens; what the others hold is never read.
        rest = tensor.new_zeros(1, layout.tokens, *tensor.shape[2:])
        return rest.index_copy(1, ends, tensor)  # (1, T, ...)

    with with_keys(keys):
        return _each(block.whole(*_each(args, at_ends), **_each(kwargs, at_ends)), spread)


def _keys(block: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Keys:
    """The keys and values of all tokens, computed as the block computes them."""
    with asking_for_keys():
        try:
            block.whole(*args, **kwargs)
        except Keys as found:
            return found
    raise NotImplementedError


def _each(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """`value` with each of its tensors changed, in tuples and dictionaries too; no layout is."""
    if isinstance(value, Tensor):
        return value if Layout.from_mask(value) else change(value)
    if isinstance(value, tuple):
        return tuple(_each(one, change) for one in value)
    if isinstance(value, dict):
        return {name: _each(one, change) for name, one in value.items()}
    return value
