"""A step under study: its batch, the runs that relations have asked for, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import torch

from wellshaped.records.certificate import KeptRelation, Relation, Standing
from wellshaped.records.phrase import phrase
from wellshaped.records.source import Passage
from wellshaped.relations.batch import StepBatch
from wellshaped.relations.compare import (
    CERTAIN,
    NOISE,
    Layout,
    ancestors,
    difference,
    layout_of,
    same_set,
)
from wellshaped.relations.taking import Change, Runner, TapedRun
from wellshaped.relations.tape import CHOICES

# A loss is a mean: what one row adds to it is small.
CERTAIN_LOSS = 2e-4
_SEED = 20


class NotMeasured(Exception):
    """A relation cannot be measured on this step; the name of the reason."""

    def __init__(self, reason: str, standing: Standing = "not_measured") -> None:
        super().__init__(reason)
        self.reason, self.standing = reason, standing


@dataclass
class Study:
    """One reading of a step: `plain` is its run without a change."""

    batch: StepBatch
    runner: Runner
    plain: TapedRun
    _runs: dict[str, TapedRun] = field(default_factory=dict)

    def run(self, change: Change, *, running_statistics: bool = False) -> TapedRun:
        """The step with its batch changed."""
        found = self.runner(change, running_statistics=running_statistics)
        if found.told.stopped:
            raise NotMeasured("changed_stops")
        return found

    @cached_property
    def order(self) -> list[int]:
        """Another order of the rows, neither turned nor mirrored where there are enough."""
        rows = self.batch.rows
        if rows < 4:
            return [*range(1, rows), 0]
        chance = torch.Generator().manual_seed(_SEED)
        return torch.randperm(rows, generator=chance).tolist()

    @cached_property
    def permuted(self) -> TapedRun:
        """The step with its rows in another order."""
        self.must_have_rows()
        order = self.order
        found = self.run(lambda batch: batch.pick(order))
        self.must_be_like(found)
        self._must_reach_all(found)
        return found

    @cached_property
    def layouts(self) -> dict[int, Layout | None]:
        """Where each result that the loss was made of has its rows; None where that is broken.

        A set of rows in another order has none: () as well.
        """
        other = self.permuted.results
        found: dict[int, Layout | None] = {}
        for each in self.above:
            plain, permuted = self.plain.results[each], other[each]
            layout = layout_of(plain, permuted, self.order)
            found[each] = () if layout is None and same_set(plain, permuted) else layout
        return found

    @cached_property
    def above(self) -> list[int]:
        """The results that the loss was made of, in order."""
        return sorted(ancestors(self.plain.told.entries, self.plain.told.ends))

    def must_have_rows(self) -> None:
        """Rows can be told apart, and are all within reach."""
        told = self.plain.told
        if self.batch.rows < 2:
            raise NotMeasured("one_row")
        if told.full:
            raise NotMeasured("too_large")
        if told.drew:
            raise NotMeasured("draws")
        for each in self.above:
            entry, result = told.entries[each], self.plain.results[each]
            if entry.name in CHOICES and self.batch.rows in result.shape:
                raise NotMeasured("draws")
            if any(size % self.batch.rows == 0 for shape in entry.roots for size in shape if size):
                raise NotMeasured("other_rows")

    def _must_reach_all(self, permuted: TapedRun) -> None:
        """What is made of Python's numbers follows the rows, or has none."""
        for each in self.above:
            plain, other = self.plain.results[each], permuted.results[each]
            told = self.plain.told.entries[each].told and plain.shape[:1] == (self.batch.rows,)
            if told and difference(plain, other) == 0.0 and not bool((plain == plain[:1]).all()):
                raise NotMeasured("other_rows")

    def must_be_like(self, other: TapedRun, *, shapes: bool = True) -> None:
        """The changed step computed the same, in the same order."""
        one, two = self.plain, other
        if [each.name for each in one.told.entries] != [each.name for each in two.told.entries]:
            raise NotMeasured("other_path")
        if shapes and any(
            left.shape != right.shape for left, right in zip(one.results, two.results, strict=False)
        ):
            raise NotMeasured("other_path")

    def loss_differs(self, other: TapedRun) -> bool:
        """Whether the loss is another one; noise decides nothing."""
        apart = max(
            difference(self.plain.results[one], other.results[two])
            for one, two in zip(self.plain.told.ends, other.told.ends, strict=True)
        )
        if NOISE < apart < CERTAIN_LOSS:
            raise NotMeasured("noise")
        return apart >= CERTAIN_LOSS

    def broken(self, relation: Relation, reason: str, at: Sequence[int]) -> KeptRelation:
        """The relation is broken at the first of these results."""
        if not at:
            raise NotMeasured("no_place")
        entry = self.plain.told.entries[at[0]]
        passage = self.passage(at[0])
        named = phrase(reason, operation=entry.name)
        return KeptRelation(relation, "broken", named, passage, entry.name)

    def passage(self, number: int) -> Passage | None:
        """Where a result was computed."""
        place = self.plain.told.entries[number].place
        passages = self.plain.told.passages
        return passages[place] if place < len(passages) else None


Measure = Callable[[Study], KeptRelation]

__all__ = ["CERTAIN", "Measure", "NotMeasured", "Study"]
