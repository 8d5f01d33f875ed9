"""A finding with its proposed repairs and what was tried: all that is printed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wellshaped.records.evidence import Evidence
from wellshaped.records.finding import Finding
from wellshaped.records.repair import DROPPING, Edit, Repair
from wellshaped.records.source import Place


@dataclass(frozen=True, slots=True)
class Proposal:
    """A repair, its proof, and the signed lines of its diff.

    `stops` is set where the edited program was run and still fails: the code, and the line.
    `number` is that of a choice, from 1 on, by which it can be picked. `runs` is whether the
    program ran to its end with it where it failed before; None where that was not tried.
    """

    repair: Repair
    evidence: Evidence | None = None
    lines: tuple[tuple[str, str], ...] = ()
    where: str = ""
    stops: tuple[str, Place] | None = None
    number: int = 0
    runs: bool | None = None


@dataclass(frozen=True, slots=True)
class WrongFix:
    """A popular repair that does not hold: its text, where it breaks, and how."""

    text: str
    evidence: Evidence
    reason: str


_MOST_OFFERED = 8


def _plausibility(proposal: Proposal) -> tuple[bool, ...]:
    """Smaller is likelier.

    The program runs with it, it is certain, loses nothing, gives the program no other data, nor a
    call another tensor, drops and invents nothing, and changes a number where it comes from.
    """
    repair = proposal.repair
    return (
        not repair.edits,
        proposal.runs is not True,
        repair.level == "choice",
        not repair.lossless,
        repair.facts.get("why") in ("name", "amount"),
        bool(DROPPING & repair.kinds),
        _hides_a_name(repair),
    )


def _hides_a_name(repair: Repair) -> bool:
    """Whether a plain number would stand where the program uses a name for it."""
    moves = [each for each in repair.moves if each.kind == "number"]
    return any(each.after.isdigit() and not each.before.isdigit() for each in moves)


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
    def single_variations(self) -> tuple[Proposal, ...]:
        """The variations that are one change each; `fix` finds those that stand on each other."""
        return tuple(each for each in self.variations if each.repair.facts.get("why") != "chain")

    @property
    def offered(self) -> tuple[Proposal, ...]:
        """The repairs that another program is given: those of the rule, then other changes."""
        known: dict[tuple[Edit, ...], Proposal] = {}
        for each in (*self.proposals, *self.candidates, *self.variations):
            best = known.setdefault(each.repair.edits, each)
            if best.runs is None and each.runs is not None:
                known[each.repair.edits] = replace(best, runs=each.runs)
        numbered = [each.repair.edits for each in self.proposals if each.number]
        shown = [known.pop(each) for each in dict.fromkeys(numbered)]
        rest = sorted(known.values(), key=_plausibility)
        return (*shown, *rest)[:_MOST_OFFERED]
