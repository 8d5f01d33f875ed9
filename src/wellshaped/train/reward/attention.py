"""Attention within each text of a packed batch, for every model that asks transformers for it.

Legend: T tokens of the batch, N texts, H heads, K key heads, D width of a head, Q and S queries
and keys of one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .layout import Layout

NAME: Final = "wellshaped_packed"

# Keywords that models hand to every attention and that change nothing in ours: positions are in
# the queries and keys already, nothing is cached, and the layout says what may be seen.
HARMLESS: Final = frozenset(
    {
        *("position_ids", "cache_position", "position_embeddings", "use_cache", "past_key_values"),
        *("output_attentions", "output_hidden_states", "return_dict", "is_causal"),
    }
)


class Keys(Exception):
    """Carries the keys and values of the last block out of it, before more is computed."""

    def __init__(self, key: Tensor, value: Tensor) -> None:
        super().__init__()
        self.key, self.value = key, value


# Inside the last block: True while its keys are asked for, then those keys.
_last: ContextVar[bool | Keys] = ContextVar("last", default=False)


@contextmanager
def asking_for_keys() -> Iterator[None]:
    """The next packed attention raises its `Keys`."""
    token = _last.set(True)
    try:
        yield
    finally:
        _last.reset(token)


@contextmanager
def with_keys(keys: Keys) -> Iterator[None]:
    """The next packed attention has one query for each text, and these keys."""
    token = _last.set(keys)
    try:
        yield
    finally:
        _last.reset(token)


def register() -> None:
    """Make the packed attention known to transformers; masks of padded batches stay as they are."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(NAME, packed_attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)


def packed_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    **rest: Any,
) -> tuple[Tensor, None]:
    """Attention within each text where the mask is a layout, and the stock one elsewhere."""
    layout = Layout.from_mask(attention_mask)
    if layout is None:
        return _stock(module, query, key, value, attention_mask, scaling, dropout, rest)
    unknown = [name for name, given in rest.items() if given is not None and name not in HARMLESS]
    if unknown:
        raise NotImplementedError(unknown)
    state = _last.get()
    if state is True:
        raise Keys(key, value)
    settings = _Settings(layout.causal, sliding_window, scaling, dropout)
    if isinstance(state, Keys):
        return _at_ends(query, state, layout, settings), None  # (1, N, H, D)
    return _within(query, key, value, layout, settings), None  # (1, T, H, D)


def _stock(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None,
    dropout: float,
    rest: dict[str, Any],
) -> tuple[Tensor, None]:
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    options = {"scaling": scaling, "dropout": dropout, **rest}
    attended: tuple[Tensor, None] = sdpa_attention_forward(
        module, query, key, value, attention_mask, **options
    )
    return attended


class _Settings:
    """How one layer attends; the same for all texts of a batch."""

    def __init__(
        self, causal: bool, window: int | None, scale: float | None, dropout: float
    ) -> None:
        self.causal, self.window, self.scale, self.dropout = causal, window, scale, dropout

    def attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """The last Q tokens of a text look at all its S tokens: (1, H, Q, D) -> (1, Q, H, D)."""
        queries, keys = query.size(2), key.size(2)
        windowed = self.window is not None and self.window < keys
        plain = not windowed and (not self.causal or queries == 1)
        stock_causal = not windowed and self.causal and queries == keys
        mask = None
        if not plain and not stock_causal:
            mask = _visible(queries, keys, self.causal, self.window, query.device)  # (Q, S)
        return F.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout,
            is_causal=stock_causal and queries > 1,
            scale=self.scale,
            enable_gqa=query.size(1) != key.size(1),
        ).transpose(1, 2)


@lru_cache(maxsize=256)
def _visible(
    queries: int, keys: int, causal: bool, window: int | None, device: torch.device
) -> Tensor:
    """Which keys each of the last `queries` tokens may see."""
    behind = torch.arange(keys - queries, keys, device=device).unsqueeze(1)
    behind = behind - torch.arange(keys, device=device)  # (Q, S)
    seen = behind >= 0 if causal else torch.ones_like(behind, dtype=torch.bool)
    return seen if window is None else seen & (behind.abs() < window)


def _within(
    query: Tensor, key: Tensor, value: Tensor, layout: Layout, settings: _Settings
) -> Tensor:
    """Each token looks at its own text; a shared beginning goes with the first of its texts."""
    queries = query.split(_runs(layout), 2)  # each (1, H, Q, D)
    keys = _texts(key, value, layout)
    return torch.cat([settings.attend(one, *next(keys)) for one in queries], 1)


def _at_ends(query: Tensor, keys: Keys, layout: Layout, settings: _Settings) -> Tensor:
    """The last token of each text looks at its text."""
    queries = query.split(1, 2)  # each (1, H, 1, D)
    texts = _texts(keys.key, keys.value, layout)
    return torch.cat([settings.attend(one, *next(texts)) for one in queries], 1)


def _runs(layout: Layout) -> list[int]:
    """The tokens that stand together: a beginning with its first text, then each other text."""
    return [
        size
        for group in layout.groups
        for size in (group.prefix + group.branches[0], *group.branches[1:])
    ]


def _texts(key: Tensor, value: Tensor, layout: Layout) -> Iterator[tuple[Tensor, Tensor]]:
    """The keys and values of each text, whole: (1, K, S, D)."""
    runs = zip(key.split(_runs(layout), 2), value.split(_runs(layout), 2), strict=True)
    for group in layout.groups:
        first = next(runs)
        yield first
        shared = [tensor[:, :, : group.prefix] for tensor in first]
        for _ in group.branches[1:]:
            own = next(runs)
            yield _after(shared[0], own[0]), _after(shared[1], own[1])


def _after(shared: Tensor, own: Tensor) -> Tensor:
    return torch.cat((shared, own), 2) if shared.size(2) else own
