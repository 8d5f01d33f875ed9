"""Comparisons as tensors, and their rewards as pairs.

Legend: N texts, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from wellshaped.train.data.comparisons import Comparisons


@dataclass(frozen=True, slots=True)
class ComparisonBatch:
    """Some comparisons as tensors: the texts of each, and of each pair its margin and weight."""

    groups: list[list[Tensor]]
    margins: Tensor  # (P,)
    weights: Tensor  # (P,)

    @property
    def sizes(self) -> list[int]:
        """How many texts each group has."""
        return [len(texts) for texts in self.groups]


def comparison_batch(comparisons: Comparisons, places: Sequence[int]) -> ComparisonBatch:
    """The comparisons at these places."""
    chosen = [comparisons[place] for place in places]
    groups = [[torch.tensor(text) for text in each.texts] for each in chosen]
    margins = [margin for each in chosen for margin in each.margins]
    weights = [each.weight for each in chosen for _ in each.margins]
    return ComparisonBatch(groups, torch.tensor(margins), torch.tensor(weights))  # (P,), (P,)


def pair_rewards(rewards_N: Tensor, sizes: Sequence[int]) -> tuple[Tensor, Tensor]:
    """The rewards of each pair: the first text of a group is preferred to each other one.

    `sizes` says how many texts each group has; a group of three is two pairs.
    """
    chosen: list[int] = []
    rejected: list[int] = []
    start = 0
    for size in sizes:
        chosen += [start] * (size - 1)
        rejected += range(start + 1, start + size)
        start += size
    device = rewards_N.device
    return (
        rewards_N.index_select(0, torch.tensor(chosen, device=device)),  # (P,)
        rewards_N.index_select(0, torch.tensor(rejected, device=device)),  # (P,)
    )
