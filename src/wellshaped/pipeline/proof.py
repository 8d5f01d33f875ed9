"""Whether an edited program is right: its fault gone, no new one, and gradients where they were."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from wellshaped.observe.trace.gradients import Reach
from wellshaped.pipeline.check import Outcome
from wellshaped.records.check import Checked, Swept
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.evidence import Trial
from wellshaped.records.fix import Size
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.source import Passage, Place
from wellshaped.verify.loss_call import try_repair

Key = tuple[str, str, int, str, tuple[str, ...], str]
Files = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RepairVerdict:
    """Whether a repair is proven; if not, the faults that came to light behind the one it mends."""

    clean: bool
    fresh: tuple[Checked, ...] = ()


def is_fault(checked: Checked) -> bool:
    """Whether a finding is a fault and not a note."""
    return checked.diagnosis.finding.severity != "note"


def fault_key(checked: Checked, files: Files) -> Key:
    """What a fault is known by, on the lines of the files as they are stored."""
    finding = checked.diagnosis.finding
    place = finding.observation.passage.place
    line = place.line
    if place.file in files:
        line = _stored_line(line, *files[place.file])
    layer, behind = finding.observation.layer, _behind(finding.observation.passage)
    return finding.code, place.file, line, layer, finding.blamed, behind


def _behind(passage: Passage) -> str:
    """What stands on the line behind a call: an edit of the call leaves it as it is.

    It tells the two products of `a * x + b * y` apart.
    """
    span = passage.span
    return dict(passage.lines).get(span.end_line, "")[span.end_column :] if span else ""


def _stored_line(line: int, before: str, after: str) -> int:
    """The line before the edits that a line after them stands for; below 0 for a new one."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        if new_start < line <= new_end:
            place = start + line - new_start
            return place if place <= end else -line
    return -line


def judge_repair(
    fault: Checked, was: Outcome, now: Outcome, before: set[Key], files: Files, proven: bool
) -> RepairVerdict:
    """What the edited program shows: `before` are the faults it had, `proven` is the call."""
    if now.own.unsettled or (was.report.complete and not now.report.complete):
        return RepairVerdict(False)  # what was not run, or is not certain, is not proven
    found = [each for each in now.report.findings if is_fault(each)]
    gone = fault_key(fault, files) not in {fault_key(each, files) for each in found}
    if now.failure or not gone or not _gradients_kept(was.own.gradients, now.own.gradients, proven):
        return RepairVerdict(False)
    if (
        now.own.ended == "raised"
    ):  # then no other batch size was run: it is gone from this run alone
        own = fault.diagnosis.finding.severity == "error"
        return RepairVerdict(False, tuple(filter(_raised, found)) if own else ())
    fresh = tuple(each for each in found if fault_key(each, files) not in before)
    return RepairVerdict(not fresh, fresh)


def _raised(checked: Checked) -> bool:
    return checked.diagnosis.finding.observation.raised


def _gradients_kept(was: Reach, now: Reach, proven: bool) -> bool:
    """Whether a gradient still reaches every parameter, and every loss is still a number.

    A program that stopped before its first backward pass has nothing to compare with: then every
    parameter that takes part must get one, unless the call itself is proven.
    """
    if was.finite and not now.finite:
        return False
    if was.ran and was.known == now.known:
        return was.reached <= now.reached
    return proven or not (now.ran and now.idle)


def gets_further(fault: Checked, was: Outcome, now: Outcome, files: Files) -> bool:
    """Whether a program that still fails comes past a fault at every batch size, and loses none.

    `now` was run at every size. One that ran to its end before must not stop for a repair.
    """
    if not _raised(fault) or was.own.ended == "ended" or now.own.ended not in ("ended", "raised"):
        return False
    found = [each for each in now.report.findings if is_fault(each)]
    stays = fault_key(fault, files) in {fault_key(each, files) for each in found}
    return not stays and not now.failure and _held(was) <= _held(now) and _passed(fault, now, files)


def _held(outcome: Outcome) -> set[int]:
    """The batch sizes that were seen to their end and at which nothing was wrong."""
    failing = {size for each in outcome.report.findings for size in each.swept.fails}
    return set(outcome.met) - failing


def _passed(fault: Checked, now: Outcome, files: Files) -> bool:
    """Whether the run came to the line of a fault at all: an edit may stop it before."""
    place = fault.diagnosis.finding.observation.passage.place
    line = _edited_line(place, files)
    return not any(
        each.file == place.file and each.line <= line <= each.end_line for each in now.own.unreached
    )


def still_fails(now: Outcome, files: Files) -> tuple[str, Place] | None:
    """What an edited program stops at, and the line of the files as they are stored."""
    stopped = [each for each in now.report.findings if is_fault(each)]
    for each in sorted(stopped, key=_raised, reverse=True)[:1]:
        place = each.diagnosis.finding.observation.passage.place
        line = abs(fault_key(each, files)[2])
        return each.diagnosis.finding.code, replace(place, line=line)
    return None


def sizes_of(fault: Checked, proposal: Proposal, last: Outcome, files: Files) -> tuple[Size, ...]:
    """The batch sizes that were run: whether the program, or the call, was right there."""
    before, after = call_sizes(fault.diagnosis.finding.observation, proposal, fault.swept)
    remaining = {size for each in last.report.findings for size in each.swept.fails}
    after |= {size: size not in remaining for size in _ran_at(fault, last, files)}
    return tuple(Size(size, before.get(size), after.get(size)) for size in sorted(after | before))


def _ran_at(fault: Checked, last: Outcome, files: Files) -> frozenset[int]:
    """The batch sizes at which the line of a fault ran to its end in the edited program."""
    place = fault.diagnosis.finding.observation.passage.place
    if place.file not in last.completed:
        return frozenset(last.met)  # a line of a file that no run follows
    line = _edited_line(place, files)
    for statement, sizes in last.completed[place.file]:
        if statement.line <= line <= statement.end_line:
            return sizes
    return frozenset()


def _edited_line(place: Place, files: Files) -> int:
    """The line of the edited program that stands for one of the files as they are stored."""
    before, after = files.get(place.file, ("", ""))
    return abs(_stored_line(place.line, after, before)) if after else place.line


def call_sizes(
    observation: Observation, proposal: Proposal | None, swept: Swept
) -> tuple[dict[int, bool], dict[int, bool]]:
    """By batch size, whether the call is right as it is written, and repaired."""
    before: dict[int, bool] = {}
    after: dict[int, bool] = {}
    evidence = proposal.evidence if proposal else None
    if proposal is not None and evidence is not None and observation.kind == "loss":
        as_written = try_repair(observation, Repair(""), reference=proposal.repair)
        before |= {trial.batch: trial.outcome == "equal" for trial in as_written.trials}
    if evidence is not None:
        after |= {trial.batch: _is_right(trial, observation) for trial in evidence.trials}
    before |= dict.fromkeys(swept.holds, True) | dict.fromkeys(swept.fails, False)
    return before, after


def _is_right(trial: Trial, observation: Observation) -> bool:
    """A loss has a value to be compared; of a layer or an operation it is told that it runs."""
    return trial.outcome == "equal" or (trial.outcome == "runs" and observation.kind != "loss")
