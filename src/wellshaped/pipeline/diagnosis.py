"""From what was observed to a diagnosis: the fault, its repairs, and what was tried of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from wellshaped.diagnose import engine
from wellshaped.diagnose.faults import rule
from wellshaped.pipeline.proposals import alone, at_callers, proposed, varied, wrong_fixes
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.finding import Finding
from wellshaped.records.observation import LossCall, Observation

_MOST_PROPOSALS = 2
# Rules from this priority on say what a library rejected, and not what is wrong with the program.
_SAYS_LITTLE = 91


def diagnose_exception(
    error: BaseException, hazards: tuple[LossCall, ...] = ()
) -> Diagnosis | None:
    """The diagnosis of a failure, from the frames it left; None when it is not ours."""
    from wellshaped.observe import observe_exception

    observation = observe_exception(error, hazards)
    return diagnose(observation) if observation else None


def diagnose_hazards(calls: Iterable[LossCall]) -> Iterator[Diagnosis]:
    """The diagnoses of hazards that ran, one for each place."""
    for call in calls:
        if call.observation is None:
            continue
        diagnosis = diagnose(replace(call.observation, count=call.count))
        if diagnosis is not None:
            yield replace(diagnosis, values=call.values)


def diagnose(
    observation: Observation, texts: Mapping[str, str] = MappingProxyType({})
) -> Diagnosis | None:
    """Everything there is to say of one observation; None when no rule knows it.

    `texts` are the files of the program, in which small changes are looked for.
    """
    finding = engine.finding_of(observation)
    if finding is None:
        return None
    known = rule(finding.code)
    assert known is not None
    tried = [proposed(each, finding) for each in known.repairs(finding)]
    tried = [each for each in tried if not (each.evidence and each.evidence.harmful)]
    proposals = sorted(alone(tried, observation), key=lambda each: each.repair.level == "choice")
    candidates = (*proposals, *at_callers(proposals, finding))
    return Diagnosis(
        finding,
        tuple(proposals[:_MOST_PROPOSALS]),
        wrong_fixes(finding, proposals),
        candidates=candidates,
        variations=varied(finding, texts),
    )


def says_little(finding: Finding) -> bool:
    """Whether a rule only repeats what a library rejected."""
    known = rule(finding.code)
    return known is not None and known.priority >= _SAYS_LITTLE
