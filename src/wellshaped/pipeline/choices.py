"""Which of the repairs that make a program right is certain, and which the user picked."""

from __future__ import annotations

from collections.abc import Sequence

from wellshaped.pipeline.levels import INVENTING
from wellshaped.pipeline.search import Picks, TriedRepair
from wellshaped.records.repair import DROPPING, Level


def certain(clean: Sequence[TriedRepair]) -> TriedRepair | None:
    """The repair that is lossless and alone: no other that explains the fault gives other results.

    What drops or invents elements explains less than what keeps them all, and does not count.
    """
    best = next((each for each in clean if final_level(each) != "choice"), None)
    if best is None:
        return None
    # What drops or makes up elements is no rival of what keeps them; another number is.
    rivals = [each for each in clean if not DROPPING & each.proposal.repair.kinds]
    if sum("size_index" in each.proposal.repair.kinds for each in clean) > 1:
        return None  # two dimensions that happen to have one size
    return best if all(_same_results(best, each) for each in rivals) else None


def _same_results(one: TriedRepair, other: TriedRepair) -> bool:
    """Whether two edited programs print the same, and have the same first losses.

    Of models that are shapes only nothing is computed: no two programs are known to be the same.
    """
    first, second = one.outcome.own, other.outcome.own
    if one is other:
        return True
    if "fake" in (first.setting.weights, second.setting.weights):
        return False
    same = first.output == second.output
    return same and first.gradients.losses == second.gradients.losses


def picked(picks: Picks, clean: Sequence[TriedRepair]) -> TriedRepair | None:
    """The choice that the user picked for faults of this code, or for all."""
    code = clean[0].fault.diagnosis.finding.code
    number = picks.get(code, picks.get("", 0))
    return clean[number - 1] if 0 < number <= len(clean) else None


def final_level(move: TriedRepair) -> Level:
    """The level of a repair after which the program is right, if it is alone."""
    finding, repair = move.fault.diagnosis.finding, move.proposal.repair
    if repair.guess:
        return "choice"  # no rule has a reason for it, whatever it keeps
    by_chance = finding.facts.get("by_chance") in move.outcome.own.batch_sizes_seen
    raised = finding.observation.raised and (finding.severity == "error" or not by_chance)
    if raised:
        return "safe" if repair.lossless else "choice"
    # That the fault is gone from the program is what proves a repair of one that raised nothing.
    return "choice" if INVENTING & repair.kinds else "changes results"
