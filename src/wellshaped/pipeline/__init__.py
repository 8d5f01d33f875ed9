"""Wires the five stages: observe, diagnose, repair, verify, report."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TextIO

from wellshaped.diagnose import engine
from wellshaped.diagnose.faults import rule
from wellshaped.locale.catalogue import words
from wellshaped.records.check import Checked
from wellshaped.records.diagnosis import Diagnosis, Proposal, WrongFix
from wellshaped.records.evidence import Evidence
from wellshaped.records.finding import Finding
from wellshaped.records.fix import Mended
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.repair import Change, Level, Repair
from wellshaped.repair.diff import changed_lines
from wellshaped.repair.edits import applied, at_caller, with_edits
from wellshaped.report.compose import compose, shown_path
from wellshaped.report.text.terminal import render, should_color, should_link

_MOST_PROPOSALS = 2


def of_exception(error: BaseException, hazards: tuple[LossCall, ...] = ()) -> Diagnosis | None:
    """The diagnosis of a failure, from the frames it left; None when it is not ours."""
    from wellshaped.observe.failure.exception import observe_exception

    observation = observe_exception(error, hazards)
    return diagnose(observation) if observation else None


def of_hazards(calls: Iterable[LossCall]) -> Iterator[Diagnosis]:
    """The diagnoses of hazards that ran, one for each place."""
    for call in calls:
        if call.observation is None:
            continue
        diagnosis = diagnose(replace(call.observation, count=call.count))
        if diagnosis is not None:
            yield replace(diagnosis, values=call.values)


def diagnose(observation: Observation) -> Diagnosis | None:
    """Everything there is to say of one observation; None when no rule knows it."""
    finding = engine.diagnose(observation)
    if finding is None:
        return None
    known = rule(finding.code)
    assert known is not None
    tried = [_proposed(each, finding) for each in known.repairs(finding)]
    tried = [each for each in tried if not (each.evidence and each.evidence.harmful)]
    if sum(each.repair.level != "suggestion" for each in tried) > 1:
        tried = [_doubted(each) for each in tried]  # two readings that hold: neither is certain
    proposals = sorted(tried, key=lambda each: each.repair.level == "suggestion")
    return Diagnosis(
        finding,
        tuple(proposals[:_MOST_PROPOSALS]),
        _wrong_fixes(finding, proposals),
        candidates=(*proposals, *_at_callers(proposals, finding)),
    )


def _at_callers(proposals: list[Proposal], finding: Finding) -> list[Proposal]:
    """The same changes one call further out: the function may be right for other callers."""
    moved = [at_caller(each.repair, finding.observation) for each in proposals]
    return [_proposed(each, finding) for each in moved if each is not None]


def _proposed(repair: Repair, finding: Finding) -> Proposal:
    observation = finding.observation
    full = with_edits(repair, observation) if repair.changes else repair
    evidence = _evidence(full, observation)
    leveled = replace(full, level=_level(full, evidence, observation))
    lines = changed_lines(_lines_of(finding, {edit.file for edit in full.edits}), full.edits)
    return Proposal(leveled, evidence, lines, _elsewhere(full, finding))


# By their names: what is tried loads torch, and a text can be explained without it.
_TRIALS = {
    "loss": "wellshaped.verify.loss_call.try_repair",
    "backward": "wellshaped.verify.loss_call.try_repair",
    "module": "wellshaped.verify.module_call.try_module_repair",
    "operation": "wellshaped.verify.operation_call.try_operation_repair",
    "silent": "wellshaped.verify.operation_call.try_operation_repair",
}


def _doubted(proposal: Proposal) -> Proposal:
    return replace(proposal, repair=replace(proposal.repair, level="suggestion"))


def _evidence(repair: Repair, observation: Observation) -> Evidence | None:
    if observation.kind not in _TRIALS or not repair.changes:
        return None
    module, _, name = _TRIALS[observation.kind].rpartition(".")
    evidence: Evidence = getattr(importlib.import_module(module), name)(observation, repair)
    return evidence


def _level(repair: Repair, evidence: Evidence | None, observation: Observation) -> Level:
    if evidence is None or not evidence.proven or not repair.edits:
        return "suggestion"
    return "safe" if observation.raised else "changes results"


def _lines_of(finding: Finding, files: set[str]) -> tuple[tuple[int, str], ...]:
    shown = [finding.observation.passage, finding.origin]
    shown += [each.passage for each in finding.observation.operands]
    there = [each for each in shown if each and each.place.file in files]
    return tuple(sorted({line for each in there for line in each.lines}))


def _elsewhere(repair: Repair, finding: Finding) -> str:
    places = {(edit.file, edit.span.line) for edit in repair.edits}
    here = {
        (finding.observation.passage.place.file, number)
        for number, _ in finding.observation.passage.lines
    }
    away = sorted(places - here)
    return f"{shown_path(away[0][0])}:{away[0][1]}" if away else ""


def _wrong_fixes(finding: Finding, proposals: list[Proposal]) -> tuple[WrongFix, ...]:
    """Popular repairs of the same operands that do not hold at every batch size."""
    observation = finding.observation
    right = next(
        (each.repair for each in proposals if each.evidence and each.evidence.proven), None
    )
    if observation.kind != "loss" or right is None:
        return ()
    from wellshaped.verify.loss_call import try_repair

    found = []
    for changes, reason in _popular(observation):
        popular = Repair("", changes=changes)
        evidence = try_repair(observation, popular, reference=right)
        if (
            evidence.trials
            and not evidence.proven
            and len(evidence.breaks_at) < len(evidence.trials)
        ):
            text = ", ".join(_written(each, observation) for each in changes)
            found.append(WrongFix(text, evidence, reason))
    return tuple(found[:2])


def _written(change: Change, observation: Observation) -> str:
    operand = observation.operand(change.role)
    text = applied(operand.text, change.suffix) if operand else change.suffix
    return text.replace("(input)", f"({observation.operands[0].text})")


def _popular(observation: Observation) -> Iterable[tuple[tuple[Change, ...], str]]:
    """Repairs people reach for: a bare squeeze, of one operand or of all, and `expand_as`."""
    known = [each for each in observation.operands if each.fact is not None]
    columns = [Change(each.role, ".squeeze()") for each in known if 1 in each.shape[1:]]
    for column in columns:
        yield (column,), "wrong_batch_axis"
    if len(columns) > 1:
        yield tuple(columns), "wrong_batch_axis"
    if any(each.role == "target" for each in known):
        yield (Change("target", ".expand_as(input)"),), "wrong_only_at"


def render_checked(checked: Checked, stream: TextIO, lang: str | None = None) -> str:
    """One finding of a check, with the batch sizes at which it fails and holds."""
    return render(
        compose(checked.diagnosis, checked.swept, words=words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )


def render_mended(mended: Mended, stream: TextIO, lang: str | None = None) -> str:
    """A finding whose repair was proven on the whole program."""
    shown = replace(mended.checked.diagnosis, proposals=(mended.proposal,))
    return render(
        compose(shown, mended.checked.swept, mended.sizes, words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )


def rendered(diagnosis: Diagnosis, lang: str | None) -> str:
    """One diagnosis for the terminal, as it stands beside the program's own errors."""
    stream = sys.stderr
    return render(
        compose(diagnosis, words=words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )
