"""What a collate function gives: the inputs of some rows, and what is aimed at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from torch import Tensor
from torch.utils import _pytree as pytree

from wellshaped.batch.ragged import Padded


@dataclass(frozen=True, eq=False)
class Batch:
    """Inputs and targets of B rows: `Padded` where they are sequences, tensors (B, *) otherwise."""

    inputs: Any
    targets: Any

    def to(self, *args: Any, **kwargs: Any) -> Batch:
        """The same on another device."""
        return Batch(self.inputs.to(*args, **kwargs), self.targets.to(*args, **kwargs))

    def pin_memory(self) -> Batch:
        """The same in pinned memory; a `DataLoader` calls it."""
        return Batch(self.inputs.pin_memory(), self.targets.pin_memory())


@dataclass(frozen=True, eq=False)
class Pairs:
    """B pairs of sequences as 2B rows: all chosen, then all rejected."""

    inputs: Padded

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Of one result for each row, (2B, *), those of the chosen and of the rejected, (B, *)."""
        half = rows.shape[0] // 2
        return rows[:half], rows[half:]

    def to(self, *args: Any, **kwargs: Any) -> Pairs:
        """The same on another device."""
        return Pairs(self.inputs.to(*args, **kwargs))

    def pin_memory(self) -> Pairs:
        """The same in pinned memory; a `DataLoader` calls it."""
        return Pairs(self.inputs.pin_memory())


def _batch(parts: Iterable[Any], _: None) -> Batch:
    return Batch(*parts)


def _pairs(parts: Iterable[Any], _: None) -> Pairs:
    return Pairs(*parts)


# Both are arguments of `torch.export` and `torch.func` like the tensors in them.
pytree.register_pytree_node(
    Batch,
    lambda batch: ([batch.inputs, batch.targets], None),
    _batch,
    serialized_type_name="wellshaped.batch.Batch",
)
pytree.register_pytree_node(
    Pairs,
    lambda pairs: ([pairs.inputs], None),
    _pairs,
    serialized_type_name="wellshaped.batch.Pairs",
)
