"""Runs a program dry at several batch sizes and gathers what is wrong, and where it holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from wellshaped.observe.program import Program
from wellshaped.observe.sandbox import Note, Refused
from wellshaped.pipeline import diagnose
from wellshaped.records.check import Checked, NotChecked, Report, Swept
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.observation import Observation
from wellshaped.verify.rerun import Ran, Setting, Weights, finish, rerun, start

SMALL_SIZES = (1, 2, 3)
Progress = Callable[[str], None]
# Refused by design at sizes the program need not meet: a fault only where its own run stops.
_BY_DESIGN = ("WS403",)


@dataclass(frozen=True)
class Outcome:
    """A report, and whether the program could be run at all."""

    report: Report
    own: Ran
    failure: str = ""


@dataclass
class _Found:
    diagnosis: Diagnosis
    fails: set[int] = field(default_factory=set)
    own: bool = False


def check(
    program: Program,
    *,
    batch_sizes: Iterable[int] = (),
    budget: float = 60.0,
    sources: dict[str, str] | None = None,
    weights: Weights = "real",
    progress: Progress = lambda _: None,
) -> Outcome:
    """Run the program as it is, then with other batch sizes, each in a child of its own."""
    texts = sources or {}
    progress("as it is")
    own = rerun(program, Setting(None, True, texts, weights), seconds=budget / 2)
    if own.how == "late":
        progress("as it is, with short loaders")
        own = rerun(program, Setting(None, False, texts, weights), seconds=budget / 4)
    runs = [own]
    if own.how == "ended" or not texts:  # a repair that fails by itself needs no sweep
        sizes = _swept_sizes(own, tuple(batch_sizes))
        progress(f"at batch sizes {', '.join(map(str, sizes))}")
        runs += _side_by_side(
            program, [Setting(size, False, texts, weights) for size in sizes], budget / 8
        )
    found = _gathered(runs)
    met = sorted({size for ran in runs for size in ran.met})
    findings = tuple(_checked(each, met) for each in found)
    report = Report(program.name, findings, tuple(_not_checked(own, runs)))
    unexplained = own.how == "died" or (own.how == "raised" and not any(f.own for f in found))
    return Outcome(report, own, own.error if unexplained else "")


def _side_by_side(program: Program, settings: list[Setting], seconds: float) -> list[Ran]:
    """Runs of several settings, as many at a time as there are cores."""
    ran: list[Ran] = []
    width = max(1, os.cpu_count() or 1)
    for place in range(0, len(settings), width):
        group = [start(program, each, seconds=seconds) for each in settings[place : place + width]]
        ran += [finish(each) for each in group]
    return ran


def _swept_sizes(own: Ran, wanted: tuple[int, ...]) -> tuple[int, ...]:
    if not own.sizes:
        return ()  # no loader to steer
    return wanted or tuple(size for size in SMALL_SIZES if size not in own.met)


def _gathered(runs: list[Ran]) -> list[_Found]:
    found: dict[tuple[str, str, int], _Found] = {}
    for place, ran in enumerate(runs):
        for observation in _observations(ran):
            diagnosis = diagnose(observation)
            if diagnosis is None or (place and diagnosis.finding.code in _BY_DESIGN):
                continue
            at = diagnosis.finding.observation.passage.place
            key = (diagnosis.finding.code, at.file, at.line)
            entry = found.setdefault(key, _Found(diagnosis))
            entry.fails |= _failing_sizes(ran, observation)
            entry.own |= place == 0
    return list(found.values())


def _observations(ran: Ran) -> Iterable[Observation]:
    if ran.observation is not None:
        yield ran.observation
    for call in ran.hazards:
        if call.observation is not None and call.verdict.outcome == "hazard":
            yield replace(call.observation, count=call.count)


def _failing_sizes(ran: Ran, observation: Observation) -> set[int]:
    """The batch a run stopped at; for a hazard that ran, every batch it met."""
    if observation.raised:
        return set() if ran.current is None else {ran.current}
    return set(ran.met)


def _checked(found: _Found, sizes: list[int]) -> Checked:
    diagnosis = found.diagnosis
    if not found.own and diagnosis.finding.severity == "error":
        finding = replace(diagnosis.finding, severity="warning")
        diagnosis = replace(diagnosis, finding=finding)
    holds = tuple(size for size in sizes if size not in found.fails)
    return Checked(diagnosis, Swept(tuple(sorted(found.fails)), holds))


def _not_checked(own: Ran, runs: list[Ran]) -> Iterable[NotChecked]:
    for ran in runs:
        size = "of its own" if ran.setting.batch is None else str(ran.setting.batch)
        if ran.how == "late":
            yield NotChecked("WS901", "", 0, f"batch size {size}: the time budget ended the run")
        elif ran.how == "died":
            yield NotChecked("WS902", "", 0, f"batch size {size}: the run ended abruptly")
        elif ran.how == "raised" and ran.observation is None and ran.place is not None:
            reason = f"batch size {size}: stopped by {ran.error.splitlines()[0][:100]}"
            yield NotChecked("WS903", ran.place.file, ran.place.line, reason)
    yield from dict.fromkeys(_refused(note) for ran in runs for note in ran.refused)
    if not own.sizes:
        yield NotChecked("WS904", "", 0, "no data loader: batch sizes were not varied")


def _refused(note: Note) -> NotChecked:
    """What the sandbox kept the program from doing, even where the program went on without it."""
    reason = f"the dry run refuses `{note.action}`: {note.target[:100]}"
    return NotChecked(Refused.code, note.place.file, note.place.line, reason)
