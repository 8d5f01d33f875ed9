"""How texts go through a model: which short cuts are exact for it, and why others are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wellshaped.records.phrase import Phrase


@dataclass(frozen=True, slots=True)
class ForwardPlan:
    """The short cuts in use, and for each that is not, the reason."""

    packed: bool
    shared_prefix: bool
    # The last block computed at the end of each text only.
    ends_only: bool
    refused: tuple[Phrase, ...] = ()

    def with_short_cut(self, name: str) -> ForwardPlan:
        """The plan with one more short cut, by the name of its field."""
        taken = {cut: cut == name or getattr(self, cut) for cut in SHORT_CUTS}
        return ForwardPlan(**taken, refused=self.refused)

    @property
    def short_cuts(self) -> int:
        """How many are in use."""
        return self.packed + self.shared_prefix + self.ends_only


SHORT_CUTS: Final = ("packed", "shared_prefix", "ends_only")
PADDED: Final = ForwardPlan(packed=False, shared_prefix=False, ends_only=False)
