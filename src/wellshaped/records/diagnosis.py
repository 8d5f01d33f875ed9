"""A finding with its proposed repairs and what was tried: all that is printed."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.evidence import Evidence
from wellshaped.records.finding import Finding
from wellshaped.records.repair import Repair
from wellshaped.records.source import Place


@dataclass(frozen=True, slots=True)
class Proposal:
    """A repair, its proof, and the signed lines of its diff.

    `stops` is set where the edited program was run and still fails: the code, and the line.
    `number` is that of a choice, from 1 on, by which it can be picked.
    """

    repair: Repair
    evidence: Evidence | None = None
    lines: tuple[tuple[str, str], ...] = ()
    where: str = ""
    stops: tuple[str, Place] | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class WrongFix:
    """A popular repair that does not hold: its text, where it breaks, and how."""

    text: str
    evidence: Evidence
    reason: str


_MOST_OFFERED = 8


def _plausibility(proposal: Proposal) -> tuple[bool, bool, bool]:
    """Smaller is likelier: certain, lossless, and a size or dtype rather than an arrangement."""
    repair = proposal.repair
    return repair.level == "choice", not repair.lossless, "layout" in repair.kinds


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything there is to say about one fault.

    `proposals` are shown; `candidates` are all repairs worth trying on the whole program, and
    `variations` are changes to try where none of those is certain.
    """

    finding: Finding
    proposals: tuple[Proposal, ...] = ()
    wrong: tuple[WrongFix, ...] = ()
    values: tuple[float, float] | None = None
    candidates: tuple[Proposal, ...] = ()
    variations: tuple[Proposal, ...] = ()

    @property
    def offered(self) -> tuple[Proposal, ...]:
        """The repairs that another program is given: those of the rule, then other changes."""
        edits = [each.repair.edits for each in self.proposals]
        others = (*self.candidates, *sorted(self.variations, key=_plausibility))
        more = (each for each in others if each.repair.edits and each.repair.edits not in edits)
        return (*self.proposals, *more)[:_MOST_OFFERED]
