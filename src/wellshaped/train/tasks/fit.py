"""Trains one task: examples, an encoding of them, a small model, the loop, the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import torch

from wellshaped.records.phrase import Told
from wellshaped.records.training import Ended
from wellshaped.train.artifacts.run_folder import enter, run_files, run_in
from wellshaped.train.artifacts.track import require_trackers
from wellshaped.train.distributed.processes import join
from wellshaped.train.events import EventSink, discard
from wellshaped.train.loop import Loop
from wellshaped.train.randomness import seed_all
from wellshaped.train.settings import Settings
from wellshaped.train.tasks.data import Data, divided, examples, fingerprint
from wellshaped.train.tasks.encoding import Encoding
from wellshaped.train.tasks.kinds import KINDS, Columns, Example
from wellshaped.train.tasks.model import RowsModel
from wellshaped.train.tasks.result import Trained
from wellshaped.train.tasks.steps import training_task

_LEARNING_RATE = 3e-3


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is trained on what; the loop's own choices are `Settings`."""

    kind: str
    data: Data = None
    held_out: Data = None
    hold_out: float = 0.1
    columns: Columns | None = None
    out: str | Path | None = None
    batch: int = 32
    width: int = 64
    layers: int = 1
    threads: int | None = None
    skip_bad_rows: bool = False
    resume: bool = False
    trackers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("batch", "layers", "threads"):
            got = getattr(self, name)
            if got is not None and got < 1:
                raise Told("WS988", "setting_range", name=name, least="1", got=got)
        if self.width < 2 or self.width % 2:
            raise Told("WS988", "setting_even", name="width", got=self.width)
        if self.resume and self.out is None:
            raise Told("WS988", "resume_without_folder")


@dataclass(frozen=True)
class Result:
    """What a run came to: how it ended, its best evaluation, and the trained model."""

    ended: Ended
    trained: Trained

    @property
    def metrics(self) -> Mapping[str, float]:
        """The values of the best evaluation."""
        return self.ended.values

    def predict(self, rows: Any) -> list[Any]:
        """Predictions for texts or rows."""
        return self.trained.predict(rows)


def default_settings(kind: str, **given: Any) -> Settings:
    """The choices of the loop that suit small models, but for those that are given."""
    usual = {"epochs": KINDS[kind].epochs, "learning_rate": _LEARNING_RATE, "patience": 3}
    return Settings(**{**usual, "warmup": 0.05, "watch": "loss", "better": "lower", **given})


def default_columns(kind: str, **given: Any) -> Columns:
    """The usual columns of a kind, but for those that are given."""
    usual = KINDS[kind]
    text = "" if given.get("features") and "text" not in given else usual.text
    return Columns(**{"text": text, "targets": (usual.target,), "level": usual.level, **given})


def fit(plan: Plan, settings: Settings, *, tell: EventSink = discard) -> Result:
    """Train, or go on with a run; `tell` gets each record: bad rows, steps, and the end."""
    folder = None if plan.out is None else Path(plan.out)
    if folder is not None:
        enter(folder, resume=plan.resume)
    if plan.threads is not None:
        torch.set_num_threads(plan.threads)
    accelerator = join(
        precision=settings.precision, trackers=require_trackers(plan.trackers), folder=folder
    )
    told = tell if accelerator.is_main_process else discard
    trained, held, encoding = encoded(plan, settings, tell=told)
    seed_all(settings.seed)
    sizes = {"width": plan.width, "layers": plan.layers}
    result = Trained(encoding, RowsModel(encoding, **sizes), sizes)
    work = training_task(result, trained, held, batch=plan.batch, seed=settings.seed)
    if folder is None:
        loop = Loop(work, settings, accelerator=accelerator, tell=told)
        ended, result.model = loop.run(), cast(RowsModel, loop.trained())
    else:
        ended, result.model = run_in(
            folder,
            work,
            settings,
            name=plan.kind,
            marks=_marks(plan, fingerprint((trained, held))),
            accelerator=accelerator,
            tell=told,
            resume=plan.resume,
        )
        if accelerator.is_main_process and ended.how != "interrupted":
            with run_files(folder):
                result.save(folder)
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    result.model.eval()
    told(ended)
    return Result(ended, result)


def encoded(
    plan: Plan, settings: Settings, *, tell: EventSink
) -> tuple[list[Example], list[Example], Encoding]:
    """Rows to train on, rows to evaluate with, and how they become tensors."""
    kind = KINDS[plan.kind]
    columns = plan.columns or default_columns(plan.kind)

    def read(data: Data) -> list[Example]:
        skip = plan.skip_bad_rows
        return examples(kind, data, columns, seed=settings.seed, skip_bad_rows=skip, tell=tell)

    trained = read(plan.data)
    if plan.held_out is not None:
        held = read(plan.held_out)
    else:
        trained, held = divided(trained, share=plan.hold_out, seed=settings.seed)
    return trained, held, Encoding.of(kind, columns, trained, [*trained, *held])


def _marks(plan: Plan, data: str) -> dict[str, Any]:
    """What must be the same for a run to go on, beside the settings of the loop."""
    sizes = {name: getattr(plan, name) for name in ("kind", "batch", "width", "layers")}
    return {**sizes, "data": data}
