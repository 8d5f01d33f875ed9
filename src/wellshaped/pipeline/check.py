"""Runs a program dry at several batch sizes and gathers what is wrong, and where it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from wellshaped.diagnose.faults.detect import detectors
from wellshaped.execute import Program
from wellshaped.execute.cpu_time import cpu_seconds
from wellshaped.execute.sandbox.enter import Note, Refused
from wellshaped.execute.sandbox.kernel import confinement
from wellshaped.notebook.skipped import skipped_lines
from wellshaped.observe import observe_run
from wellshaped.observe.loss_guard.watch import unwatched_losses
from wellshaped.observe.result import How, RunResult, Setting, Weights
from wellshaped.pipeline.certificate import certificate_of
from wellshaped.pipeline.diagnosis import diagnose
from wellshaped.pipeline.failed import failure_of
from wellshaped.pipeline.sizes import (
    Completed,
    at_size,
    completed,
    failing_sizes,
    sizes_met,
    swept_at,
)
from wellshaped.pipeline.sweep import Progress, Share, Sweep, in_full, sweep, unsettled
from wellshaped.pipeline.trials import FaultAcrossRuns, by_accident, try_repairs
from wellshaped.records.check import Checked, Ended, NotChecked, Report, SizeRun
from wellshaped.records.finding import Finding, Severity
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.records.source import Place

# CPU seconds after which loops that show nothing new are ended: short programs run whole.
_PATIENCE = 4.0
_ENDS: dict[How, Ended] = {
    "ended": "finished",
    "raised": "stopped",
    "late": "late",
    "died": "died",
    "large": "late",
}
_CODES = {"raised": "WS903", "late": "WS901", "died": "WS902", "large": "WS901"}
# Refused by design at sizes the program need not meet: a fault only where its own run stops.
_BY_DESIGN = ("WS403",)
_OWN_CHECKS = ("raise", "assert")


@dataclass(frozen=True)
class Outcome:
    """A report, whether the program could be run at all, and the batch sizes it met.

    `completed` are the statements that ran, with the batch sizes at which each did; `seconds` is
    the CPU time that all runs took together.
    """

    report: Report
    own: RunResult
    failure: str = ""
    met: tuple[int, ...] = ()
    completed: Completed = field(default_factory=dict)
    seconds: float = 0.0


def check(
    program: Program,
    *,
    batch_sizes: Iterable[int] = (),
    budget: float = 60.0,
    sources: dict[str, str] | None = None,
    weights: Weights = "auto",
    broadcasts: bool = False,
    certificate: bool = False,
    every_size: bool = False,
    try_out: bool = True,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Run the program as it is, then with other batch sizes, each in a child of its own.

    Edited sources that fail by themselves are not run at other sizes, unless for `every_size`. With
    `try_out` the repairs of what is found are run as well, so that those which help come first. A
    `certificate` of a training step is made where it is asked for.
    """
    texts, began = sources or {}, cpu_seconds()
    patience = budget if broadcasts else _PATIENCE  # who counts does not leave out turns
    setting = Setting(None, True, texts, weights, patience, traced=True, broadcasts=broadcasts)
    own = _as_it_is(program, setting, budget, progress)
    runs, swept = [own], Sweep()
    if own.ended == "ended" or not texts or every_size:
        asked = tuple(batch_sizes)
        base = Setting(None, False, texts, own.setting.weights)
        share = _share(own, budget, left=budget - (cpu_seconds() - began))
        swept = sweep(program, own, base, asked, share, progress)
        runs += swept.runs
    if not own.by_loader and swept.own_size is not None:
        own = runs[0] = at_size(own, swept.own_size, swept.runs)
    found = merge_runs(runs)
    if try_out and not texts:
        left = budget - (cpu_seconds() - began)
        try_repairs(program, found, own, seconds=min(left / 2, budget / 3))
        found = [each for each in found if not by_accident(each, own)]
    met = sorted(_seen(runs))
    alone = swept.made_for_one
    findings = tuple(to_checked(each, runs, made_for_one=alone) for each in found)
    ends = size_runs(runs, found)
    unseen = (*_skipped(program), *not_watched(), *not_checked(runs, ends), *swept.notes)
    listed = own.broadcasts if broadcasts else None
    if broadcasts and not own.followed:
        unseen += (NotChecked("WS907", "", 0, phrase("broadcasts_not_listed")),)
    failure = _failure(own, found)
    failed = failure_of(program, own, failure)
    certified = None
    if certificate:
        left = budget - (cpu_seconds() - began)
        certified = certificate_of(program, own, texts, seconds=max(left, budget / 8))
    report = Report(program.name, findings, unseen, listed, ends, failed, certified)
    spent = cpu_seconds() - began
    return Outcome(report, own, failure, tuple(met), completed(runs), spent)


def _failure(own: RunResult, found: list[FaultAcrossRuns]) -> str:
    """Why the program could not be run; empty where it could, or where a fault tells why."""
    if _gave_up(own):
        return f"SystemExit: {own.status}"
    return own.error if own.ended == "raised" and not any(each.own for each in found) else ""


def _gave_up(ran: RunResult) -> bool:
    """Whether a program ended itself before it met any data, as one with a bad command line."""
    return ran.ended == "ended" and bool(ran.status) and not ran.batch_sizes_seen


def _seen(runs: list[RunResult]) -> set[int]:
    """The batch sizes that were seen to their end: a run that stopped says nothing of its last."""
    return {
        size
        for ran in runs
        for size in sizes_met(ran)
        if ran.ended == "ended" or size != ran.current
    }


def _as_it_is(program: Program, setting: Setting, budget: float, progress: Progress) -> RunResult:
    """The program at its own batch size: whole if it can be, and never blamed for what was not."""
    progress(phrase("as_it_is"))
    own = observe_run(program, setting, seconds=budget / 2, detectors=detectors())
    if own.ended == "large":
        progress(phrase("without_weights"))
        own = observe_run(
            program, replace(setting, weights="fake"), seconds=budget / 2, detectors=detectors()
        )
    if own.ended == "raised" and own.shortened:
        progress(phrase("in_full"))  # what was left out may be why it stopped
        whole = max(budget / 4, budget * 3 / 4 - own.seconds)
        own = observe_run(program, in_full(own.setting), seconds=whole, detectors=detectors())
    if own.ended == "late":
        progress(phrase("short_loaders"))
        weights: Weights = "real" if own.setting.weights == "real" else "fake"
        short = replace(own.setting, whole=False, patience=0.0, weights=weights)
        own = observe_run(program, short, seconds=budget / 4, detectors=detectors())
        if own.ended == "raised" and own.shortened:
            return unsettled(own)
    return own


def _share(own: RunResult, budget: float, *, left: float) -> Share:
    """The seconds of a run at another size: most of what a program needs, it needs at any."""
    share = max(budget / 8, min(1.5 * own.seconds, left / 2))
    return Share(share, in_full=max(share, left / 4))


def merge_runs(runs: list[RunResult]) -> list[FaultAcrossRuns]:
    """The faults of several runs, the first of which is the program's own."""
    found: dict[tuple[str, str, int], FaultAcrossRuns] = {}
    for place, ran in enumerate(runs):
        for observation, rows in _observations(ran):
            diagnosis = diagnose(observation, ran.files)
            if diagnosis is None or (place and _is_by_design(diagnosis.finding)):
                continue
            at = diagnosis.finding.observation.passage.place
            key = (diagnosis.finding.code, at.file, at.line)
            # The own run may have told what makes it fail there.
            entry = _stopped_at(at, found.values()) or found.setdefault(
                key, FaultAcrossRuns(diagnosis)
            )
            entry.fails |= failing_sizes(ran, observation, rows)
            entry.own |= place == 0
            entry.stopped += [ran] if observation.raised else []
    return list(found.values())


def _is_by_design(finding: Finding) -> bool:
    """Whether a batch size is refused that the program need not meet: by a layer, by itself."""
    observation = finding.observation
    is_own_check = observation.callee in _OWN_CHECKS or observation.error_type == "KeyError"
    return finding.code in _BY_DESIGN or is_own_check


def _stopped_at(place: Place, found: Iterable[FaultAcrossRuns]) -> FaultAcrossRuns | None:
    """The fault that stands elsewhere and stops the program in this line."""
    for each in found:
        stop = each.diagnosis.finding.observation.stopped
        if stop is not None and (stop.file, stop.line) == (place.file, place.line):
            return each
    return None


def _observations(ran: RunResult) -> Iterable[tuple[Observation, frozenset[int]]]:
    """What a run showed; with a hazard the numbers of rows it was seen with."""
    if ran.observation is not None:
        yield ran.observation, frozenset()
    for call in ran.hazards:
        if call.observation is not None and call.verdict.outcome == "hazard":
            yield replace(call.observation, count=call.count), call.rows
    yield from ((each, frozenset()) for each in ran.silent)


def to_checked(
    found: FaultAcrossRuns, runs: Sequence[RunResult], *, made_for_one: bool = False
) -> Checked:
    """A fault with its sizes; one that the own run does not meet is a warning, or a note."""
    diagnosis = found.diagnosis
    observation = diagnosis.finding.observation
    swept = swept_at(
        observation.passage.place,
        found.fails,
        # Tensors are followed in the own run only: other sizes say nothing of what it found there.
        () if observation.kind == "silent" else runs,
        wrong=[diagnosis.finding.facts.get("by_chance")],
    )
    if not found.own and diagnosis.finding.severity != "note":
        # A program that holds at its own size alone may be meant so.
        severity: Severity = "note" if made_for_one else "warning"
        diagnosis = replace(diagnosis, finding=replace(diagnosis.finding, severity=severity))
    return Checked(diagnosis, swept)


def size_runs(runs: Sequence[RunResult], found: Sequence[FaultAcrossRuns]) -> tuple[SizeRun, ...]:
    """How each run ended; one that stopped is complete if a finding explains where it did."""
    return tuple(_size_run(ran, found) for ran in runs)


def _size_run(ran: RunResult, found: Sequence[FaultAcrossRuns]) -> SizeRun:
    ended, code = _ENDS[ran.ended], _CODES.get(ran.ended, "")
    cause = (ran.error.splitlines() or [""])[0]
    if ran.waited and not ran.unsettled:
        ended = "waited"
    if _gave_up(ran):
        ended, code, cause = "stopped", "WS903", f"SystemExit: {ran.status}"
    if ran.ended == "raised":
        stopped_by = [each for each in found if any(ran is other for other in each.stopped)]
        if stopped_by:
            ended, code = "failed", stopped_by[0].diagnosis.finding.code
    return SizeRun(
        ran.setting.batch,
        tuple(sorted(sizes_met(ran))),
        ended,
        ran.place if ended != "finished" else None,
        code,
        cause,
        ran.shortened,
        ran.passed_over,
    )


def _skipped(program: Program) -> Iterable[NotChecked]:
    return () if program.is_module else skipped_lines(program.name)


def not_watched() -> Iterable[NotChecked]:
    """The losses in which nothing was looked for."""
    names = ", ".join(f"`{name}`" for name in unwatched_losses())
    if names:
        yield NotChecked("WS944", "", 0, phrase("losses_not_watched", names=names))


def not_checked(runs: Sequence[RunResult], ends: Sequence[SizeRun]) -> Iterable[NotChecked]:
    """What the runs, the program's own first, did not come to, and what they were kept from."""
    if not confinement.is_landlocked():
        yield NotChecked(confinement.CODE, "", 0, phrase("without_landlock"))
    for ran, end in zip(runs, ends, strict=True):
        if not end.complete:
            file, line = (end.place.file, end.place.line) if end.place else ("", 0)
            name = "unsettled" if ran.unsettled else end.ended
            yield NotChecked(end.code, file, line, _at(end, name, error=end.cause[:100]))
    yield from dict.fromkeys(_refused(note) for ran in runs for note in ran.refused)
    yield from _unreached(runs[0], runs)
    for stand_in in {each for ran in runs for each in ran.stand_ins if each.kind == "branch"}:
        place = stand_in.place
        yield NotChecked("WS906", place.file, place.line, phrase("stand_in"))


def _at(end: SizeRun, name: str, **facts: str) -> Phrase:
    """What became of a run, with its batch size."""
    size = end.batch
    return Phrase(f"{name}_own", facts) if size is None else phrase(name, size=size, **facts)


def _unreached(own: RunResult, runs: Sequence[RunResult]) -> Iterable[NotChecked]:
    """What no run came to; of a program that stopped, only that it did."""
    if own.ended == "raised" and own.place is not None:
        yield NotChecked("WS905", own.place.file, own.place.line, phrase("stopped_here"))
        return
    missed = [set(ran.unreached) for ran in runs if ran.ended == "ended"]
    for each in sorted(set.intersection(*missed) if missed else ()):
        name = "unreached_to" if each.end_line > each.line else "unreached"
        name = f"{name}_in" if each.function else name
        reason = phrase(name, end=each.end_line, function=each.function)
        yield NotChecked("WS905", each.file, each.line, reason)


def _refused(note: Note) -> NotChecked:
    """What the sandbox kept the program from doing, even where the program went on without it.

    A child process was not kept from anything: nobody watched it.
    """
    if note.kind == "unwatched":
        unseen = phrase("first_rank", count=note.target) if note.target else phrase("unwatched")
        return NotChecked("WS905", note.place.file, note.place.line, unseen)
    facts = {"action": note.action, "target": note.target[:100], "remedy": note.remedy}
    return NotChecked(Refused.code, note.place.file, note.place.line, Phrase("refused", facts))
