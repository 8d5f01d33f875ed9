"""Where the tokens of a batch lie: texts one after another, each shared beginning once.

Legend: T tokens of the whole batch, N texts, L tokens of one text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Group:
    """Texts with one beginning: its length, 0 where nothing is shared, and what each adds."""

    prefix: int
    branches: tuple[int, ...]

    @property
    def tokens(self) -> int:
        """How many tokens are computed for all its texts."""
        return self.prefix + sum(self.branches)


@dataclass(frozen=True)
class Layout:
    """The groups of a batch in the order of their tokens, and what the attention may see."""

    groups: tuple[Group, ...]
    causal: bool
    # The last block is needed at the last token of each text only.
    ends_only: bool = False

    @property
    def tokens(self) -> int:
        """T: how many tokens are computed."""
        return sum(group.tokens for group in self.groups)

    def texts(self) -> Iterator[tuple[range, range]]:
        """Of each text, the places of its shared beginning and of the rest."""
        starts = accumulate((group.tokens for group in self.groups), initial=0)
        for start, group in zip(starts, self.groups, strict=False):
            at = start + group.prefix
            for length in group.branches:
                yield range(start, start + group.prefix), range(at, at + length)
                at += length

    @cached_property
    def ends(self) -> Tensor:
        """The place of the last token of each text."""
        return torch.tensor([rest[-1] for _, rest in self.texts()])  # (N,)

    @cached_property
    def positions(self) -> Tensor:
        """The position of each token within its text."""
        return torch.cat([part for group in self.groups for part in _positions(group)])  # (T,)

    def places(self) -> tuple[Tensor, Tensor]:
        """The places of all tokens of each text, padded on the right with 0, and which are real."""
        texts = [torch.tensor([*shared, *rest]) for shared, rest in self.texts()]
        real = torch.tensor([len(text) for text in texts])  # (N,)
        places_NL = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True)  # (N, L)
        return places_NL, torch.arange(places_NL.size(1)) < real.unsqueeze(1)

    def as_mask(self) -> Tensor:
        """Itself in the form of an attention mask, which models hand to their attention untouched.

        A mask of four axes is taken as finished by transformers 5.22, and reaches each attention
        through checkpointing and wrappers as well; keywords of our own do not, in every model.
        """
        numbers = [int(self.causal), int(self.ends_only)]
        for group in self.groups:
            numbers += [group.prefix, len(group.branches), *group.branches]
        return torch.tensor(numbers).view(1, 1, 1, -1)

    @staticmethod
    def from_mask(mask: object) -> Layout | None:
        """The layout in a mask of whole numbers and four axes; None for any other."""
        if not isinstance(mask, Tensor) or mask.dim() != 4 or mask.dtype != torch.int64:
            return None
        causal, ends_only, *numbers = mask.flatten().tolist()
        groups = []
        while numbers:
            count = numbers[1]
            groups.append(Group(numbers[0], tuple(numbers[2 : 2 + count])))
            numbers = numbers[2 + count :]
        return Layout(tuple(groups), bool(causal), bool(ends_only))


def _positions(group: Group) -> Iterator[Tensor]:
    yield torch.arange(group.prefix)
    for length in group.branches:
        yield torch.arange(group.prefix, group.prefix + length)


def common_prefix(texts: Sequence[Tensor]) -> int:
    """How many first tokens all texts share; each keeps at least one of its own."""
    if len(texts) < 2:
        return 0
    limit = min(len(text) for text in texts) - 1
    same = torch.stack([text[:limit] == texts[0][:limit] for text in texts[1:]]).all(0)  # (L,)
    return int(same.long().cumprod(0).sum())


def shared_tokens(groups: Sequence[Sequence[Tensor]]) -> int:
    """How many tokens need not be computed again, where each shared beginning is computed once."""
    return sum(common_prefix(texts) * (len(texts) - 1) for texts in groups)


def lay_out(groups: Sequence[Sequence[Tensor]], *, share: bool) -> tuple[Tensor, tuple[Group, ...]]:
    """The token ids of all groups in one row, (T,), and where each lies."""
    parts: list[Tensor] = []
    laid: list[Group] = []
    for texts in groups:
        prefix = common_prefix(texts) if share else 0
        laid.append(Group(prefix, tuple(len(text) - prefix for text in texts)))
        parts += [texts[0][:prefix], *(text[prefix:] for text in texts)]
    return torch.cat(parts), tuple(laid)
