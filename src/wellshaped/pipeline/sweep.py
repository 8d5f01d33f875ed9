"""Runs a program at other batch sizes: by its loaders, or by the numbers that set its batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wellshaped.observe.knobs import Knob, knobs, turned, turned_arguments
from wellshaped.observe.program import Program
from wellshaped.records.check import NotChecked
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.verify.ran import Ran, Setting
from wellshaped.verify.rerun import Started, all_ended, finish, start

Progress = Callable[[Phrase], None]
_SIZES = 3
_LARGEST = 9
_MOST_KNOBS = 3


@dataclass(frozen=True, slots=True)
class Sweep:
    """The runs at other batch sizes, and what could not be tried.

    `made_for_one` is whether the program seems to be written for its own size alone: what
    fails at others is then worth a note, and no fault.
    """

    runs: tuple[Ran, ...] = ()
    notes: tuple[NotChecked, ...] = ()
    made_for_one: bool = False


def sweep(
    program: Program,
    own: Ran,
    base: Setting,
    wanted: Sequence[int],
    seconds: float,
    progress: Progress,
) -> Sweep:
    """Run the program at the sizes that are wanted, or at those that tell most."""
    sizes = tuple(wanted) or swept_sizes(own)
    if own.sizes:
        progress(phrase("at_sizes", sizes=", ".join(map(str, sizes))))
        settings = [(program, replace(base, batch=size)) for size in sizes]
        runs = _confirmed(_side_by_side(settings, seconds), own, program, seconds)
        alone = own.whole_batches_only and not wanted and not any(map(_holds, runs))
        return Sweep(tuple(runs), made_for_one=alone and not _coincides(own))
    if own.how != "ended" or not own.met:
        return _not_varied("no_loader")
    return _by_knob(program, own, base, sizes, seconds, progress)


def swept_sizes(own: Ran) -> tuple[int, ...]:
    """The sizes to try: 1, and small ones that no other axis has, so that none is mistaken."""
    free = [size for size in range(2, _LARGEST) if size not in own.axes]
    rest = [*free, 2, 3][: _SIZES - 1]
    return tuple(size for size in (1, *rest) if size not in own.met)


def _by_knob(
    program: Program,
    own: Ran,
    base: Setting,
    sizes: Sequence[int],
    seconds: float,
    progress: Progress,
) -> Sweep:
    stuck = _not_varied("no_knob")
    for knob in knobs(own.files, own.met, program.arguments)[:_MOST_KNOBS]:
        progress(_turning(knob, sizes))
        runs = _side_by_side([_turned(program, knob, size, base, own) for size in sizes], seconds)
        met = [ran for ran in runs if ran.setting.batch in ran.met or ran.how == "late"]
        if all(ran.how == "late" for ran in met):
            continue  # it sets something else
        if any(map(_holds, met)):
            return Sweep(tuple(_confirmed(met, own, program, seconds, knob)))
        reason = phrase("other_number", value=knob.value)
        where = [(spot.file, spot.span.line) for spot in knob.spots]
        note = NotChecked("WS904", *(where or [("", 0)])[0], reason)
        # A number that is called the batch size ought to set it everywhere.
        alone = not _coincides(own)
        stuck = Sweep(tuple(met if knob.name else ()), (note,), made_for_one=alone)
        if knob.name:
            break
    return stuck


def _holds(ran: Ran) -> bool:
    """Whether a run was right at the size it was for, whatever came at another one."""
    wrong = [call for call in ran.hazards if call.verdict.outcome == "hazard"]
    return ran.current != ran.setting.batch or (ran.how == "ended" and not wrong)


def _coincides(own: Ran) -> bool:
    """Whether another axis has the size of the batch: what holds may hold for that alone."""
    return bool(own.axes.intersection(own.sizes or own.met))


def _turning(knob: Knob, sizes: Sequence[int]) -> Phrase:
    facts = {"value": knob.value, "sizes": ", ".join(map(str, sizes))}
    return phrase("turned_named", name=knob.name, **facts) if knob.name else Phrase("turned", facts)


def _not_varied(name: str) -> Sweep:
    return Sweep(notes=(NotChecked("WS904", "", 0, phrase(name)),))


def _turned(
    program: Program, knob: Knob, size: int, base: Setting, own: Ran
) -> tuple[Program, Setting]:
    texts = {**base.sources, **turned(knob, size, own.files)}
    other = replace(program, arguments=turned_arguments(knob, size, program.arguments))
    return other, replace(base, batch=size, sources=texts)


def _confirmed(
    runs: list[Ran], own: Ran, program: Program, seconds: float, knob: Knob | None = None
) -> list[Ran]:
    """The runs; one that was shortened and then failed is run again in full."""
    doubtful = [ran for ran in runs if ran.shortened and ran.how == "raised"]
    if own.how != "ended" or not doubtful:
        return runs
    again = {
        ran.setting.batch: ran
        for ran in _side_by_side(
            [(_with(program, knob, each), in_full(each.setting, seconds)) for each in doubtful],
            seconds,
        )
        if ran.how in ("ended", "raised")
    }
    return [again.get(ran.setting.batch, ran) if ran in doubtful else ran for ran in runs]


def _with(program: Program, knob: Knob | None, ran: Ran) -> Program:
    """The program with the command line that a run had."""
    size = ran.setting.batch
    if knob is None or size is None:
        return program
    return replace(program, arguments=turned_arguments(knob, size, program.arguments))


def in_full(setting: Setting, seconds: float) -> Setting:
    """The same run with every batch and every turn of its loops, while the time lasts."""
    return replace(setting, whole=True, patience=seconds)


def _side_by_side(settings: list[tuple[Program, Setting]], seconds: float) -> list[Ran]:
    """Runs of several settings, as many at a time as there are cores."""
    ran: list[Ran] = []
    width = max(1, os.cpu_count() or 1)
    for place in range(0, len(settings), width):
        group: list[Started] = []
        with all_ended(group):
            for program, each in settings[place : place + width]:
                group.append(start(program, each, seconds=seconds))
            ran += [finish(each) for each in group]
    return ran
