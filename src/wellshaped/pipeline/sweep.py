"""Runs a program at other batch sizes: by its loaders, or by the numbers that set its batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from wellshaped.observe.knobs import Knob, knobs, turned, turned_arguments
from wellshaped.observe.program import Program
from wellshaped.records.check import NotChecked
from wellshaped.verify.rerun import Ran, Setting, finish, start

Progress = Callable[[str], None]
_SIZES = 3
_LARGEST = 9
_MOST_KNOBS = 3


def sweep(
    program: Program,
    own: Ran,
    base: Setting,
    wanted: Sequence[int],
    seconds: float,
    progress: Progress,
) -> tuple[list[Ran], list[NotChecked]]:
    """The runs at other batch sizes, and what could not be tried."""
    sizes = tuple(wanted) or swept_sizes(own)
    if own.sizes:
        progress(f"at batch sizes {', '.join(map(str, sizes))}")
        settings = [(program, replace(base, batch=size)) for size in sizes]
        return _confirmed(_side_by_side(settings, seconds), own, program, seconds), []
    if own.how != "ended" or not own.met:
        return [], [NotChecked("WS904", "", 0, "no data loader: batch sizes were not varied")]
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
) -> tuple[list[Ran], list[NotChecked]]:
    found = knobs(own.files, own.met, program.arguments)[:_MOST_KNOBS]
    stuck = NotChecked("WS904", "", 0, "nothing in the program sets its batch size")
    for knob in found:
        name = f"`{knob.name}` " if knob.name else ""
        progress(f"with {name}{knob.value} turned to {', '.join(map(str, sizes))}")
        runs = _side_by_side([_turned(program, knob, size, base, own) for size in sizes], seconds)
        met = [ran for ran in runs if ran.setting.batch in ran.met]
        if not met:
            continue  # it sets something else
        if any(ran.how == "ended" or ran.current != ran.setting.batch for ran in met):
            return _confirmed(met, own, program, seconds), []
        spot = knob.spots[0] if knob.spots else None
        reason = f"with another number than {knob.value} here the rest of the program does not fit"
        stuck = NotChecked(
            "WS904", spot.file if spot else "", spot.span.line if spot else 0, reason
        )
    return [], [stuck]


def _turned(
    program: Program, knob: Knob, size: int, base: Setting, own: Ran
) -> tuple[Program, Setting]:
    texts = {**base.sources, **turned(knob, size, own.files)}
    other = replace(program, arguments=turned_arguments(knob, size, program.arguments))
    return other, replace(base, batch=size, sources=texts)


def _confirmed(runs: list[Ran], own: Ran, program: Program, seconds: float) -> list[Ran]:
    """The runs; one that was shortened and then failed is run again in full."""
    doubtful = [ran for ran in runs if ran.shortened and ran.how == "raised"]
    if own.how != "ended" or not doubtful:
        return runs
    again = {
        ran.setting.batch: ran
        for ran in _side_by_side(
            [(program, replace(each.setting, patience=seconds)) for each in doubtful], seconds
        )
        if ran.how in ("ended", "raised")
    }
    return [again.get(ran.setting.batch, ran) if ran in doubtful else ran for ran in runs]


def _side_by_side(settings: list[tuple[Program, Setting]], seconds: float) -> list[Ran]:
    """Runs of several settings, as many at a time as there are cores."""
    ran: list[Ran] = []
    width = max(1, os.cpu_count() or 1)
    for place in range(0, len(settings), width):
        group = [
            start(program, each, seconds=seconds)
            for program, each in settings[place : place + width]
        ]
        ran += [finish(each) for each in group]
    return ran
