"""Runs a program dry at several batch sizes and gathers what is wrong, and where it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from wellshaped.notebook.skipped import skipped_lines
from wellshaped.observe.cpu_time import cpu_seconds
from wellshaped.observe.guard import unwatched_losses
from wellshaped.observe.program import Program
from wellshaped.observe.sandbox import Note, Refused
from wellshaped.pipeline import diagnose
from wellshaped.pipeline.sweep import Progress, Share, Sweep, in_full, sweep, unsettled
from wellshaped.records.check import Checked, NotChecked, Report, Swept
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.finding import Severity
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.records.source import Place
from wellshaped.verify.ran import Ran, Setting, Weights
from wellshaped.verify.rerun import rerun

# CPU seconds after which loops that show nothing new are ended: short programs run whole.
_PATIENCE = 4.0
# Refused by design at sizes the program need not meet: a fault only where its own run stops.
_BY_DESIGN = ("WS403",)


@dataclass(frozen=True)
class Outcome:
    """A report, whether the program could be run at all, and the batch sizes it met.

    `seconds` is the CPU time that all runs took together.
    """

    report: Report
    own: Ran
    failure: str = ""
    met: tuple[int, ...] = ()
    seconds: float = 0.0


@dataclass
class Found:
    """A fault as the runs showed it: the sizes it fails at, and whether the own run has it."""

    diagnosis: Diagnosis
    fails: set[int] = field(default_factory=set)
    own: bool = False


def check(
    program: Program,
    *,
    batch_sizes: Iterable[int] = (),
    budget: float = 60.0,
    sources: dict[str, str] | None = None,
    weights: Weights = "auto",
    broadcasts: bool = False,
    every_size: bool = False,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Run the program as it is, then with other batch sizes, each in a child of its own.

    Edited sources that fail by themselves are not run at other sizes, unless for `every_size`.
    """
    texts, began = sources or {}, cpu_seconds()
    patience = budget if broadcasts else _PATIENCE  # who counts does not leave out turns
    setting = Setting(None, True, texts, weights, patience, traced=True, broadcasts=broadcasts)
    own = _as_it_is(program, setting, budget, progress)
    runs, swept = [own], Sweep()
    if own.how == "ended" or not texts or every_size:
        asked = tuple(batch_sizes)
        base = Setting(None, False, texts, own.setting.weights)
        share = _share(own, budget, left=budget - (cpu_seconds() - began))
        swept = sweep(program, own, base, asked, share, progress)
        runs += swept.runs
    found = gathered(runs)
    met = sorted(_seen(runs))
    alone = swept.made_for_one
    findings = tuple(checked(each, met, made_for_one=alone) for each in found)
    unseen = (*_skipped(program), *not_watched(), *not_checked(own, runs), *swept.notes)
    listed = own.broadcasts if broadcasts else None
    if broadcasts and not own.followed:
        unseen += (NotChecked("WS907", "", 0, phrase("broadcasts_not_listed")),)
    report = Report(program.name, findings, unseen, listed)
    return Outcome(report, own, _failure(own, found), tuple(met), cpu_seconds() - began)


def _failure(own: Ran, found: list[Found]) -> str:
    """Why the program could not be run; empty where it could, or where a fault tells why."""
    if own.how == "ended" and own.status and not own.met:
        return f"SystemExit: {own.status}"  # as of a command line that it does not understand
    unexplained = own.how == "died" or (own.how == "raised" and not any(f.own for f in found))
    return own.error if unexplained else ""


def _seen(runs: list[Ran]) -> set[int]:
    """The batch sizes that were seen to their end: a run that stopped tells nothing of its last."""
    return {size for ran in runs for size in ran.met if ran.how == "ended" or size != ran.current}


def _as_it_is(program: Program, setting: Setting, budget: float, progress: Progress) -> Ran:
    """The program at its own batch size: whole if it can be, and never blamed for what was not."""
    progress(phrase("as_it_is"))
    own = rerun(program, setting, seconds=budget / 2)
    if own.how == "large":
        progress(phrase("without_weights"))
        own = rerun(program, replace(setting, weights="fake"), seconds=budget / 2)
    if own.how == "raised" and own.shortened:
        progress(phrase("in_full"))  # what was left out may be why it stopped
        whole = max(budget / 4, budget * 3 / 4 - own.seconds)
        own = rerun(program, in_full(own.setting), seconds=whole)
    if own.how == "late":
        progress(phrase("short_loaders"))
        weights: Weights = "real" if own.setting.weights == "real" else "fake"
        short = replace(own.setting, whole=False, patience=0.0, weights=weights)
        own = rerun(program, short, seconds=budget / 4)
        if own.how == "raised" and own.shortened:
            return unsettled(own)
    return own


def _share(own: Ran, budget: float, *, left: float) -> Share:
    """The seconds of a run at another size: most of what a program needs, it needs at any."""
    share = max(budget / 8, min(1.5 * own.seconds, left / 2))
    return Share(share, in_full=max(share, left / 4))


def gathered(runs: list[Ran]) -> list[Found]:
    """The faults of several runs, the first of which is the program's own."""
    found: dict[tuple[str, str, int], Found] = {}
    for place, ran in enumerate(runs):
        for observation, rows in _observations(ran):
            diagnosis = diagnose(observation)
            if diagnosis is None or (place and diagnosis.finding.code in _BY_DESIGN):
                continue
            at = diagnosis.finding.observation.passage.place
            key = (diagnosis.finding.code, at.file, at.line)
            # The own run may have told what makes it fail there.
            entry = _stopped_at(at, found.values()) or found.setdefault(key, Found(diagnosis))
            entry.fails |= _failing_sizes(ran, observation, rows)
            entry.own |= place == 0
    return list(found.values())


def _stopped_at(place: Place, found: Iterable[Found]) -> Found | None:
    """The fault that stands elsewhere and stops the program in this line."""
    for each in found:
        stop = each.diagnosis.finding.observation.options.get("stopped")
        if stop is not None and (stop.file, stop.line) == (place.file, place.line):
            return each
    return None


def _observations(ran: Ran) -> Iterable[tuple[Observation, frozenset[int]]]:
    """What a run showed; with a hazard the numbers of rows it was seen with."""
    if ran.observation is not None:
        yield ran.observation, frozenset()
    for call in ran.hazards:
        if call.observation is not None and call.verdict.outcome == "hazard":
            yield replace(call.observation, count=call.count), call.rows
    yield from ((each, frozenset()) for each in ran.silent)


def _failing_sizes(ran: Ran, observation: Observation, rows: frozenset[int]) -> set[int]:
    """The batch a run stopped at; of a hazard that ran those it was seen with, or every one."""
    if observation.raised:
        return set() if ran.current is None else {ran.current}
    return set(rows.intersection(ran.met) or ran.met)


def checked(found: Found, sizes: list[int], *, made_for_one: bool = False) -> Checked:
    """A fault with its sizes; one that the own run does not meet is a warning, or a note."""
    diagnosis = found.diagnosis
    # Tensors are followed in the own run only: other sizes say nothing of what it found there.
    traced = diagnosis.finding.observation.kind == "silent"
    wrong = {*found.fails, diagnosis.finding.facts.get("by_chance")}
    holds = () if traced else tuple(size for size in sizes if size not in wrong)
    if not found.own and diagnosis.finding.severity != "note":
        # A program that holds at its own size alone may be meant so.
        severity: Severity = "note" if made_for_one else "warning"
        diagnosis = replace(diagnosis, finding=replace(diagnosis.finding, severity=severity))
    return Checked(diagnosis, Swept(tuple(sorted(found.fails)), holds))


def _skipped(program: Program) -> Iterable[NotChecked]:
    return () if program.is_module else skipped_lines(program.name)


def not_watched() -> Iterable[NotChecked]:
    """The losses in which nothing was looked for."""
    names = ", ".join(f"`{name}`" for name in unwatched_losses())
    if names:
        yield NotChecked("WS944", "", 0, phrase("losses_not_watched", names=names))


def not_checked(own: Ran, runs: list[Ran]) -> Iterable[NotChecked]:
    """What the runs did not come to, and what they were kept from."""
    for ran in runs:
        if ran.unsettled:
            file, line = (ran.place.file, ran.place.line) if ran.place else ("", 0)
            yield NotChecked("WS901", file, line, _at(ran, "unsettled", error=_brief(ran)))
        elif ran.how == "late":
            yield NotChecked("WS901", "", 0, _at(ran, "waited" if ran.waited else "late"))
        elif ran.how == "died":
            yield NotChecked("WS902", "", 0, _at(ran, "died"))
        elif ran.how == "raised" and ran.observation is None and ran.place is not None:
            reason = _at(ran, "stopped", error=_brief(ran))
            yield NotChecked("WS903", ran.place.file, ran.place.line, reason)
    yield from dict.fromkeys(_refused(note) for ran in runs for note in ran.refused)
    yield from _unreached(own, runs)
    for stand_in in {each for ran in runs for each in ran.stand_ins if each.kind == "branch"}:
        place = stand_in.place
        yield NotChecked("WS906", place.file, place.line, phrase("stand_in"))


def _brief(ran: Ran) -> str:
    return ran.error.splitlines()[0][:100]


def _at(ran: Ran, name: str, **facts: str) -> Phrase:
    """What became of a run, with its batch size."""
    size = ran.setting.batch
    return Phrase(f"{name}_own", facts) if size is None else phrase(name, size=size, **facts)


def _unreached(own: Ran, runs: list[Ran]) -> Iterable[NotChecked]:
    """What no run came to; of a program that stopped, only that it did."""
    if own.how == "raised" and own.place is not None:
        yield NotChecked("WS905", own.place.file, own.place.line, phrase("stopped_here"))
        return
    missed = [set(ran.unreached) for ran in runs if ran.how == "ended"]
    for each in sorted(set.intersection(*missed) if missed else ()):
        name = "unreached_to" if each.end_line > each.line else "unreached"
        name = f"{name}_in" if each.function else name
        reason = phrase(name, end=each.end_line, function=each.function)
        yield NotChecked("WS905", each.file, each.line, reason)


def _refused(note: Note) -> NotChecked:
    """What the sandbox kept the program from doing, even where the program went on without it."""
    reason = phrase("refused", action=note.action, target=note.target[:100])
    return NotChecked(Refused.code, note.place.file, note.place.line, reason)
