"""Runs a program at other batch sizes: by its loaders, or by the numbers that set its batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wellshaped.diagnose.faults.detect import detectors
from wellshaped.execute import Program
from wellshaped.observe import RunResult, Setting
from wellshaped.observe.run import Started, all_ended, finish, start
from wellshaped.pipeline.sizes import at_size
from wellshaped.records.check import NotChecked
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.source.number_sources.batch_size_literals import (
    BatchSizeLiteral,
    knobs,
    turned_arguments,
    with_value,
)

Progress = Callable[[Phrase], None]
_SIZES = 3
_LARGEST = 9
_MOST_KNOBS = 3


@dataclass(frozen=True, slots=True)
class Sweep:
    """The runs at other batch sizes, and what could not be tried.

    `made_for_one` is whether the program seems to be written for its own size alone: what
    fails at others is then worth a note, and no fault. `own_size` is the batch size of a program
    without loaders, where a number was found that sets it.
    """

    runs: tuple[RunResult, ...] = ()
    notes: tuple[NotChecked, ...] = ()
    made_for_one: bool = False
    own_size: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """The CPU seconds that a run at another size may use, and one that is repeated in full."""

    seconds: float
    in_full: float


def sweep(
    program: Program,
    own: RunResult,
    base: Setting,
    wanted: Sequence[int],
    share: Share,
    progress: Progress,
) -> Sweep:
    """Run the program at the sizes that are wanted, or at those that tell most."""
    sizes = tuple(wanted) or swept_sizes(own)
    if own.sizes:
        progress(phrase("at_sizes", sizes=", ".join(map(str, sizes))))
        settings = [(program, replace(base, batch=size)) for size in sizes]
        runs = _confirmed(side_by_side(settings, share.seconds), own, program, share)
        alone = own.whole_batches_only and not wanted and not any(map(_holds, runs))
        return Sweep(tuple(runs), made_for_one=alone and not _coincides(own))
    if own.ended != "ended" or not own.batch_sizes_seen:
        named = [knob.value for knob in _knobs(program, own) if knob.name]
        name = "no_loader" if own.ended == "ended" else "no_loader_yet"
        return replace(_not_varied(name), own_size=named[0] if named else None)
    return _by_knob(program, own, base, sizes, share, progress)


def swept_sizes(own: RunResult) -> tuple[int, ...]:
    """The sizes to try: 1, and small ones that no other axis has, so that none is mistaken."""
    free = [size for size in range(2, _LARGEST) if size not in own.axes]
    rest = [*free, 2, 3][: _SIZES - 1]
    return tuple(size for size in (1, *rest) if size not in own.batch_sizes_seen)


def _by_knob(
    program: Program,
    own: RunResult,
    base: Setting,
    sizes: Sequence[int],
    share: Share,
    progress: Progress,
) -> Sweep:
    stuck = _not_varied("no_knob")
    for knob in _knobs(program, own)[:_MOST_KNOBS]:
        progress(_turning(knob, sizes))
        settings = [_turned(program, knob, size, base, own) for size in sizes]
        runs = side_by_side(settings, share.seconds)
        met = [ran for ran in runs if _met(ran) or ran.ended == "late"]
        if all(ran.ended == "late" for ran in met):
            continue  # it sets something else
        met = _at_sizes(_confirmed(met, own, program, share, knob), own)
        if any(map(_holds, met)):
            return Sweep(tuple(met), own_size=knob.value)
        stuck = _stuck(knob, met, own)
        if knob.name:
            break
    return stuck


def _knobs(program: Program, own: RunResult) -> list[BatchSizeLiteral]:
    return knobs(own.files, own.batch_sizes_seen, program.arguments, axes=own.axes)


def _met(ran: RunResult) -> bool:
    """Whether the size that a number was turned to came to be one of a model's input."""
    return ran.setting.batch in ran.batch_sizes_seen or ran.setting.batch in ran.axes


def _at_sizes(runs: Sequence[RunResult], own: RunResult) -> list[RunResult]:
    """Runs in which a number set the batch size, and came to be the rows of a model's input."""
    return [at_size(ran, ran.setting.batch, [own]) for ran in runs if ran.setting.batch]


def _stuck(knob: BatchSizeLiteral, met: list[RunResult], own: RunResult) -> Sweep:
    """What is known of a number with which the program ran at its own size alone."""
    misfits = any(map(_misfits, met))
    reason = phrase("other_number" if misfits else "number_unsettled", value=knob.value)
    where = [(spot.file, spot.span.line) for spot in knob.spots]
    note = NotChecked("WS904", *(where or [("", 0)])[0], reason)
    # A number that is called the batch size ought to set it everywhere.
    runs = tuple(met if knob.name else ())
    alone = misfits and not _coincides(own)
    return Sweep(runs, (note,), made_for_one=alone, own_size=knob.value)


def _holds(ran: RunResult) -> bool:
    """Whether a run was right at the size it was for, whatever came at another one."""
    return ran.current != ran.setting.batch or (ran.ended == "ended" and not _is_wrong(ran))


def _misfits(ran: RunResult) -> bool:
    """Whether its shapes were wrong: one that stops for another reason says nothing of them."""
    return ran.observation is not None or _is_wrong(ran)


def _is_wrong(ran: RunResult) -> bool:
    return any(call.verdict.outcome == "hazard" for call in ran.hazards)


def _coincides(own: RunResult) -> bool:
    """Whether another axis has the size of the batch: what holds may hold for that alone."""
    return bool(own.axes.intersection(own.sizes or own.batch_sizes_seen))


def _turning(knob: BatchSizeLiteral, sizes: Sequence[int]) -> Phrase:
    facts = {"value": knob.value, "sizes": ", ".join(map(str, sizes))}
    return phrase("turned_named", name=knob.name, **facts) if knob.name else Phrase("turned", facts)


def _not_varied(name: str) -> Sweep:
    return Sweep(notes=(NotChecked("WS904", "", 0, phrase(name)),))


def _turned(
    program: Program, knob: BatchSizeLiteral, size: int, base: Setting, own: RunResult
) -> tuple[Program, Setting]:
    texts = {**base.sources, **with_value(knob, size, own.files)}
    other = replace(program, arguments=turned_arguments(knob, size, program.arguments))
    return other, replace(base, batch=size, sources=texts)


def _confirmed(
    runs: list[RunResult],
    own: RunResult,
    program: Program,
    share: Share,
    knob: BatchSizeLiteral | None = None,
) -> list[RunResult]:
    """The runs; one that was shortened and then failed is run again in full.

    Where that takes too long its failure is not settled: what was left out may be the reason.
    """
    doubtful = [ran for ran in runs if _may_be_cut_short(ran, own)]
    if own.shortened and own.seconds > share.in_full:  # what took longer while it was shortened
        return [unsettled(ran) if ran in doubtful else ran for ran in runs]
    whole = [(_with(program, knob, ran), in_full(ran.setting)) for ran in doubtful]
    again = iter(side_by_side(whole, share.in_full))
    return [_settled(ran, next(again)) if ran in doubtful else ran for ran in runs]


def _may_be_cut_short(ran: RunResult, own: RunResult) -> bool:
    """Whether a failure may come of what was left out; not one that the own run has, whole."""
    known = own.ended == "raised" and not own.shortened and own.place == ran.place
    return ran.ended == "raised" and ran.shortened and not known


def _settled(ran: RunResult, again: RunResult) -> RunResult:
    return unsettled(ran) if again.ended == "late" else again


def unsettled(ran: RunResult) -> RunResult:
    """A run that failed after something was left out, and of which nothing more is known."""
    return replace(ran, ended="late", observation=None, unsettled=True)


def _with(program: Program, knob: BatchSizeLiteral | None, ran: RunResult) -> Program:
    """The program with the command line that a run had."""
    size = ran.setting.batch
    if knob is None or size is None:
        return program
    return replace(program, arguments=turned_arguments(knob, size, program.arguments))


def in_full(setting: Setting) -> Setting:
    """The same run with every batch and every turn of its loops."""
    return replace(setting, whole=True, patience=float("inf"))


def side_by_side(settings: list[tuple[Program, Setting]], seconds: float) -> list[RunResult]:
    """Runs of several settings, as many at a time as there are cores."""
    ran: list[RunResult] = []
    width = max(1, os.cpu_count() or 1)
    for place in range(0, len(settings), width):
        group: list[Started] = []
        with all_ended(group):
            for program, each in settings[place : place + width]:
                group.append(start(program, each, seconds=seconds, detectors=detectors()))
            ran += finish(group)
    return ran
