"""A search for repairs under way: what is repaired so far, and what there is to choose from."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wellshaped.execute import Program
from wellshaped.pipeline.check import Outcome
from wellshaped.pipeline.proof import Key, is_fault
from wellshaped.pipeline.sweep import Progress
from wellshaped.records.check import Checked
from wellshaped.records.diagnosis import Proposal
from wellshaped.repair import SourceText, read_source

_MOST_TRIES = 40
# Times its budget that a search may take by the clock.
_LONGEST = 10

Sources = Mapping[str, str]
Picks = Mapping[str, int]


@dataclass(frozen=True)
class TriedRepair:
    """A repair of one fault, the sources after it, and what the program does with them."""

    fault: Checked
    proposal: Proposal
    sources: Sources
    outcome: Outcome


@dataclass
class Search:
    """A search under way: what is repaired so far, and the sources it led to.

    Of the moves the first `proven` ones are proven; after those behind them the program fails.
    `used` is the CPU time of the tries that were looked at, of the `budget`: those that ran beside
    them and were not needed do not count, or the search would end sooner where more cores are.
    `choices` are repairs of a fault after which the program is right, and `partial` those after
    which it gets further: the user may pick one. `cut_short` are faults of which not every
    candidate was run: no repair of those is known to be alone.
    """

    program: Program
    folder: Path
    budget: float
    first: Outcome
    last: Outcome
    progress: Progress
    moves: list[TriedRepair] = field(default_factory=list)
    sources: Sources = field(default_factory=dict)
    proven: int = 0
    begun: dict[str, SourceText] = field(default_factory=dict)
    tries: int = 0
    used: float = 0.0
    picks: Picks = field(default_factory=dict)
    picks_once: bool = False
    choices: dict[Key, list[TriedRepair]] = field(default_factory=dict)
    partial: dict[Key, list[TriedRepair]] = field(default_factory=dict)
    cut_short: set[Key] = field(default_factory=set)
    begun_at: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> tuple[Checked, ...]:
        """The faults that remain: first what stops the program, and that at its own batch size."""
        found = [each for each in self.last.report.findings if is_fault(each)]
        return tuple(sorted(found, key=_first_to_stop))

    @property
    def spent(self) -> bool:
        """Whether there is no time, or no try, left."""
        return self.seconds <= 0 or self.tries_left <= 0

    @property
    def tries_left(self) -> int:
        """How many candidates may still be run."""
        return _MOST_TRIES - self.tries

    @property
    def seconds(self) -> float:
        """The CPU seconds that are left; none where the search takes far too long by the clock."""
        waited = time.monotonic() - self.begun_at > _LONGEST * self.budget
        return 0.0 if waited else self.budget - self.used

    def take(self, chain: list[TriedRepair], *, proven: bool) -> None:
        """Go on from where a chain of repairs led; a proven one proves all before it."""
        self.moves += chain
        self.last, self.sources = chain[-1].outcome, chain[-1].sources
        if proven:
            self.proven = len(self.moves)

    def settle(self) -> list[TriedRepair]:
        """Go back to the last repair that is proven; what was tried behind it is returned."""
        unproven = self.moves[self.proven :]
        self.moves = self.moves[: self.proven]
        ends = self.moves[-1:]
        self.last = ends[0].outcome if ends else self.first
        self.sources = ends[0].sources if ends else {}
        return unproven

    def read(self, file: str) -> SourceText:
        """A file as it was when it was read first: a later change is noticed."""
        name = os.path.realpath(file)
        if name not in self.begun:
            self.begun[name] = read_source(file)
        return self.begun[name]

    def text(self, file: str) -> str:
        """The text of a file, or of a cell, as it is stored."""
        return self.read(file).text

    def originally(self, sources: Sources) -> dict[str, tuple[str, str]]:
        """Files that differ, as they were and as they are."""
        return {file: (self.text(file), text) for file, text in sources.items()}


def _first_to_stop(checked: Checked) -> tuple[bool, bool]:
    finding = checked.diagnosis.finding
    return not finding.observation.raised, finding.severity != "error"
