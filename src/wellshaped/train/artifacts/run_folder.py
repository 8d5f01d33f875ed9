"""A run in its folder: checkpoints to go on from, tables of its steps, curves, and the result."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.files.room import free_bytes, in_units, require_folder, require_room
from wellshaped.files.whole import NotWritten, clear_drafts, drafting, flush
from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Ended
from wellshaped.train.artifacts.checkpoint import Checkpoints, size_of
from wellshaped.train.artifacts.curve_files import keep_curves
from wellshaped.train.artifacts.track import TABLES, Track
from wellshaped.train.distributed.processes import Accelerator, on_first_process
from wellshaped.train.events import EventSink
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.training_task import TrainingTask

CHECKPOINTS: Final = "checkpoints"
# What may change when a run goes on.
FREE: Final = ("keep", "save_every")
# The configuration comes last: a folder that has one is whole.
_LAST: Final = ("config.json", "adapter_config.json")


def claim_folder(folder: Path, *, resume: bool) -> None:
    """Raise where a run cannot be in the folder, or one is there and is not to go on.

    What a killed run left half-written is removed; the folder itself is not made yet.
    """
    require_folder(folder, inner=(CHECKPOINTS, TABLES))
    if not resume and any((folder / CHECKPOINTS).glob("step-*")):
        raise UserError("WS986", "run_exists", folder=str(folder))
    for place in (folder, folder / CHECKPOINTS, folder / TABLES):
        clear_drafts(place)


@contextlib.contextmanager
def run_files(folder: Path) -> Iterator[None]:
    """Where a file cannot be written, say what the run can go on from."""
    try:
        yield
    except NotWritten as error:
        free = free_bytes(folder)
        facts = {"folder": str(folder), "reason": error.message.facts["reason"]}
        facts["free"] = "?" if free is None else in_units(free)
        whole = Checkpoints(folder / CHECKPOINTS, marks={}).all()
        if not whole:
            raise UserError("WS957", "run_not_begun", **facts) from error
        raise UserError("WS957", "run_not_written", step=whole[-1].step, **facts) from error


def run_in(
    folder: Path,
    task: TrainingTask,
    settings: LoopSettings,
    *,
    name: str,
    marks: Mapping[str, Any],
    accelerator: Accelerator,
    tell: EventSink,
    resume: bool,
) -> tuple[Ended, Any]:
    """Train with everything that is kept of a run, and give back the trained model.

    `marks` say, with the settings, which run it is.
    """
    claim_folder(folder, resume=resume)
    on_first_process(accelerator, lambda: require_room(folder, size_of(task.model)))
    chosen = {key: value for key, value in asdict(settings).items() if key not in FREE}
    checkpoints = Checkpoints(
        folder / CHECKPOINTS,
        marks={**chosen, **marks, "torch": torch.__version__},
        keep=settings.keep,
        better=settings.better,
    )
    track = Track(folder / TABLES, accelerator=accelerator, run=name)
    loop = Loop(
        task, settings, accelerator=accelerator, checkpoints=checkpoints, track=track, tell=tell
    )
    with run_files(folder):
        ended = loop.run(resume=resume)
        track.end()
        if accelerator.is_main_process:
            keep_curves(track, folder)
    return ended, loop.trained()


def publish(folder: Path, write: Callable[[Path], None]) -> None:
    """Have the result written beside its place, and then put each file where it belongs."""
    with run_files(folder), drafting(folder / "result") as draft:
        draft.mkdir(parents=True)
        write(draft)
        files = sorted(path for path in draft.rglob("*") if path.is_file())
        for path in files:
            flush(path)
        for path in sorted(files, key=lambda path: path.name in _LAST):
            place = folder / path.relative_to(draft)
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, place)
        flush(folder)


def is_finished(folder: Path) -> bool:
    """Whether a run came to its end in this folder."""
    return any((folder / name).exists() for name in _LAST)
