"""Keys and values of rows that are being written: room for all that comes, and rows that leave.

B rows, H heads, P columns of the prompts, C columns seen so far, D width of a head, T tokens of
all prompts one after another.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, DynamicLayer


class RoomyLayer(DynamicLayer):  # type: ignore[misc]  # transformers is untyped here
    """Has room for the columns to come from the start, where the stock layer copies all it has
    for each; of rows that leave, only the places are filled."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room
        self._kept: list[Tensor] = []

    def update(
        self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any
    ) -> tuple[Tensor, Tensor]:
        """All keys and values, these at their end."""
        seen, new = self.get_seq_length(), key_states.shape[2]
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._kept = [_with_room(one, self._room) for one in (key_states, value_states)]
        for kept_BHCD, states_BHCD in zip(self._kept, (key_states, value_states), strict=True):
            kept_BHCD[:, :, seen : seen + new] = states_BHCD
        self._show(seen + new)
        assert self.keys is not None
        assert self.values is not None
        return self.keys, self.values

    def batch_select_indices(self, indices: Tensor) -> None:
        """Keep some rows: each where it is, or in the place of one that left."""
        places_B = torch.arange(len(indices), device=indices.device)  # (B,)
        holes_B = (indices != places_B).nonzero().squeeze(1)  # (B,)
        seen = self.get_seq_length()
        for kept_BHCD in self._kept:
            kept_BHCD[holes_B, :, :seen] = kept_BHCD[indices[holes_B], :, :seen]
        self._kept = [kept_BHCD[: len(indices)] for kept_BHCD in self._kept]
        self._show(seen)

    def _show(self, columns: int) -> None:
        self.keys, self.values = (kept_BHCD[:, :, :columns] for kept_BHCD in self._kept)


def cache_for(model: Any, *, room: int) -> DynamicCache:
    """A cache for the model with room for so many columns beside those of its first pass."""
    cache = DynamicCache(config=model.config)
    cache.layers = [
        RoomyLayer(room) if type(layer) is DynamicLayer else layer for layer in cache.layers
    ]
    return cache


def is_roomy(cache: DynamicCache) -> bool:
    """Whether all layers keep every column: others, of a sliding window, keep some."""
    return bool(cache.layers) and all(isinstance(layer, RoomyLayer) for layer in cache.layers)


def fill(cache: DynamicCache, packed: DynamicCache, places_BP: Tensor) -> None:
    """Give each row its columns out of a cache of one row with all prompts."""
    rows, columns = places_BP.shape
    for layer, other in zip(cache.layers, packed.layers, strict=True):
        assert other.keys is not None
        assert other.values is not None
        layer.update(
            *(
                one_1HTD[0]
                .index_select(1, places_BP.flatten())
                .unflatten(1, (rows, columns))
                .transpose(0, 1)
                for one_1HTD in (other.keys, other.values)
            )
        )  # (B, H, P, D)


def leaving(going_B: Tensor) -> Tensor:
    """The rows that stay, each at its place; the last ones take the places of those that left."""
    staying_B = going_B.nonzero().squeeze(1)  # (B,)
    count = len(staying_B)
    kept_B = torch.arange(count, device=going_B.device)  # (B,)
    return kept_B.masked_scatter(~going_B[:count], staying_B[staying_B >= count])  # (B,)


def _with_room(states_BHCD: Tensor, room: int) -> Tensor:
    rows, heads, columns, width = states_BHCD.shape
    return states_BHCD.new_empty(rows, heads, columns + room, width)  # (B, H, C, D)
