"""A run in its folder: checkpoints to go on from, tables of its steps, curves, and the result."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import Told
from wellshaped.records.training import Ended
from wellshaped.train.checkpoint import Checkpoints, flush
from wellshaped.train.loop import Loop
from wellshaped.train.pictures import keep_curves
from wellshaped.train.processes import Accelerator
from wellshaped.train.settings import Settings
from wellshaped.train.telling import Tell
from wellshaped.train.track import TABLES, Track
from wellshaped.train.work import Work

CHECKPOINTS: Final = "checkpoints"
# What may change when a run goes on.
FREE: Final = ("keep", "save_every")
# The configuration comes last: a folder that has one is whole.
_LAST: Final = ("config.json", "adapter_config.json")


def refuse_begun(folder: Path, *, resume: bool) -> None:
    """Raise where a run is in the folder already, and is not to go on."""
    if not resume and any((folder / CHECKPOINTS).glob("step-*")):
        raise Told("WS986", "run_exists", folder=str(folder))


def run_in(
    folder: Path,
    work: Work,
    settings: Settings,
    *,
    name: str,
    marks: Mapping[str, Any],
    accelerator: Accelerator,
    tell: Tell,
    resume: bool,
) -> tuple[Ended, Any]:
    """Do the work with everything that is kept of it, and give back the trained model.

    `marks` say, with the settings, which run it is.
    """
    refuse_begun(folder, resume=resume)
    chosen = {key: value for key, value in asdict(settings).items() if key not in FREE}
    kept = Checkpoints(
        folder / CHECKPOINTS,
        marks={**chosen, **marks, "torch": torch.__version__},
        keep=settings.keep,
        better=settings.better,
    )
    track = Track(folder / TABLES, accelerator=accelerator, run=name)
    loop = Loop(work, settings, accelerator=accelerator, checkpoints=kept, track=track, tell=tell)
    ended = loop.run(resume=resume)
    track.end()
    if accelerator.is_main_process:
        keep_curves(track, folder)
    return ended, loop.trained()


def publish(folder: Path, write: Callable[[Path], None]) -> None:
    """Have the result written beside its place, and then put each file where it belongs."""
    draft = folder / ".draft-result"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    write(draft)
    files = sorted(path for path in draft.rglob("*") if path.is_file())
    for path in sorted(files, key=lambda path: path.name in _LAST):
        flush(path)
        place = folder / path.relative_to(draft)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, place)
    shutil.rmtree(draft)
    flush(folder)


def is_there(folder: Path) -> bool:
    """Whether a run came to its end in this folder."""
    return any((folder / name).exists() for name in _LAST)
