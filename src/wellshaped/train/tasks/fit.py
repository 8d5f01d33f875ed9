"""Trains one task: examples, an encoding of them, a small model, the loop, the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Ended
from wellshaped.train.artifacts.run_folder import run_in
from wellshaped.train.events import EventSink, discard
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.randomness import seed_all
from wellshaped.train.run_frame import begin_run, end_run
from wellshaped.train.tasks.data import Data, fingerprint, read_examples, split_rows
from wellshaped.train.tasks.encoding import Encoding
from wellshaped.train.tasks.kinds import KINDS, Columns, Example
from wellshaped.train.tasks.model import RowsModel
from wellshaped.train.tasks.result import Trained
from wellshaped.train.tasks.steps import training_task
from wellshaped.train.training_task import TrainingTask

_LEARNING_RATE = 3e-3


@dataclass(frozen=True, kw_only=True)
class TaskPlan:
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
                raise UserError("WS988", "setting_range", name=name, least="1", got=got)
        if self.width < 2 or self.width % 2:
            raise UserError("WS988", "setting_even", name="width", got=self.width)
        if self.resume and self.out is None:
            raise UserError("WS988", "resume_without_folder")


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


def default_settings(kind: str, **given: Any) -> LoopSettings:
    """The choices of the loop that suit small models, but for those that are given."""
    usual = {"epochs": KINDS[kind].epochs, "learning_rate": _LEARNING_RATE, "patience": 3}
    return LoopSettings(**{**usual, "warmup": 0.05, "watch": "loss", "better": "lower", **given})


def default_columns(kind: str, **given: Any) -> Columns:
    """The usual columns of a kind, but for those that are given."""
    usual = KINDS[kind]
    text = "" if given.get("features") and "text" not in given else usual.text
    return Columns(**{"text": text, "targets": (usual.target,), "level": usual.level, **given})


def fit(plan: TaskPlan, settings: LoopSettings, *, tell: EventSink = discard) -> Result:
    """Train, or go on with a run; `tell` gets each record: bad rows, steps, and the end."""
    folder = None if plan.out is None else Path(plan.out)
    accelerator, sink = begin_run(
        folder,
        resume=plan.resume,
        precision=settings.precision,
        trackers=plan.trackers,
        threads=plan.threads,
        tell=tell,
    )
    result, task, marks = prepare(plan, settings, tell=sink)
    if folder is None:
        loop = Loop(task, settings, accelerator=accelerator, tell=sink)
        ended, result.model = loop.run(), cast(RowsModel, loop.trained())
    else:
        ended, result.model = run_in(
            folder,
            task,
            settings,
            name=plan.kind,
            marks=marks,
            accelerator=accelerator,
            tell=sink,
            resume=plan.resume,
        )
    result.model.eval()
    ended = end_run(ended, folder=folder, save=result.save, accelerator=accelerator, tell=sink)
    return Result(ended, result)


def prepare(
    plan: TaskPlan, settings: LoopSettings, *, tell: EventSink
) -> tuple[Trained, TrainingTask, dict[str, Any]]:
    """A new model, what the loop trains, and what tells its run from others."""
    trained, held, encoding = read_plan_data(plan, settings, tell=tell)
    seed_all(settings.seed)
    sizes = {"width": plan.width, "layers": plan.layers}
    result = Trained(encoding, RowsModel(encoding, **sizes), sizes)
    task = training_task(result, trained, held, batch=plan.batch, seed=settings.seed)
    return result, task, _marks(plan, fingerprint((trained, held)))


def read_plan_data(
    plan: TaskPlan, settings: LoopSettings, *, tell: EventSink
) -> tuple[list[Example], list[Example], Encoding]:
    """Rows to train on, rows to evaluate with, and how they become tensors."""
    kind = KINDS[plan.kind]
    columns = plan.columns or default_columns(plan.kind)

    def read(data: Data) -> list[Example]:
        skip = plan.skip_bad_rows
        return read_examples(kind, data, columns, seed=settings.seed, skip_bad_rows=skip, tell=tell)

    trained = read(plan.data)
    if plan.held_out is not None:
        held = read(plan.held_out)
    else:
        trained, held = split_rows(trained, share=plan.hold_out, seed=settings.seed)
    return trained, held, Encoding.of(kind, columns, trained, [*trained, *held])


def _marks(plan: TaskPlan, data: str) -> dict[str, Any]:
    """What must be the same for a run to go on, beside the settings of the loop."""
    sizes = {name: getattr(plan, name) for name in ("kind", "batch", "width", "layers")}
    return {**sizes, "data": data}
