"""The beginning and the end that every run has, whatever it trains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from wellshaped.records.training.progress import Ended
from wellshaped.train.artifacts.run_folder import claim_folder, publish
from wellshaped.train.artifacts.track import require_trackers
from wellshaped.train.distributed.processes import Accelerator, join
from wellshaped.train.events import EventSink, discard
from wellshaped.train.loop_settings import Precision


def begin_run(
    folder: Path | None,
    *,
    resume: bool,
    precision: Precision,
    trackers: tuple[str, ...],
    threads: int | None,
    tell: EventSink,
) -> tuple[Accelerator, EventSink]:
    """The processes that train, and the sink of this one; raises where a run cannot be there."""
    if folder is not None:
        claim_folder(folder, resume=resume)
    if threads is not None:
        torch.set_num_threads(threads)
    accelerator = join(precision=precision, trackers=require_trackers(trackers), folder=folder)
    return accelerator, tell if accelerator.is_main_process else discard


def end_run(
    ended: Ended,
    *,
    folder: Path | None,
    save: Callable[[Path], None],
    accelerator: Accelerator,
    tell: EventSink,
) -> Ended:
    """Save the result of a run that was not interrupted, once, and report how it ended."""
    if folder is not None and accelerator.is_main_process and ended.how != "interrupted":
        publish(folder, save)
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    tell(ended)
    return ended
