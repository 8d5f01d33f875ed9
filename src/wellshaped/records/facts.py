"""What a detector found out of a fault, as a record: each fault has a kind of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a fault is recognised by; the rule that owns the kind asks for it by `isinstance`.

    `needs_whole_run` is whether a run that was shortened may have left out what speaks against it.
    """

    needs_whole_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PaddingFacts(Facts):
    """How many positions of all are padding; the loss as it is, and as it would be without it."""

    positions: int
    total: int
    loss: float | None = None
    otherwise: float | None = None
