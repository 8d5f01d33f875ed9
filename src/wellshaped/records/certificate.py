"""The certificate of a training step: which relations of a right step it keeps, as measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellshaped.records.phrase import Phrase
from wellshaped.records.source import Passage

# holds: measured, and kept; broken: measured, and not kept; does_not_apply: the step has nothing
# of the kind; not_measured: nothing is claimed. The last two have a reason.
Standing = Literal["holds", "broken", "does_not_apply", "not_measured"]
Relation = Literal["rows", "order", "padding", "training"]


@dataclass(frozen=True, slots=True)
class KeptRelation:
    """What was measured of one relation.

    `reason` says how it breaks, or why nothing was measured. `passage` is the expression at which
    it breaks first, and `operation` torch's name for what is computed there. `by_design` is
    whether a comment on that line says that it is meant so.
    """

    relation: Relation
    standing: Standing
    reason: Phrase | None = None
    passage: Passage | None = None
    operation: str = ""
    by_design: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether it holds; None where that is not known, or where there is nothing to hold."""
        return {"holds": True, "broken": False}.get(self.standing)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The relations of one training step; `rows` is the size of its batch, 0 where unknown."""

    relations: tuple[KeptRelation, ...]
    rows: int = 0

    def of(self, relation: Relation) -> KeptRelation | None:
        """What was measured of a relation."""
        return next((each for each in self.relations if each.relation == relation), None)

    @property
    def broken(self) -> tuple[KeptRelation, ...]:
        """The facts: relations that are broken, and not by a design that is written down."""
        return tuple(
            each for each in self.relations if each.standing == "broken" and not each.by_design
        )
