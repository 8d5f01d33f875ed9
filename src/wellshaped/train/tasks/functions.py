"""Each task as one function of Python: `classify("reviews.csv").predict(["fine"])`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from wellshaped.records.phrase import UserError
from wellshaped.train.events import EventSink
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.tasks.data import Data
from wellshaped.train.tasks.fit import Result, TaskPlan, default_columns, default_settings, fit
from wellshaped.train.tasks.kinds import Columns

_LOOP = {each.name for each in fields(LoopSettings)}
_COLUMNS = {each.name for each in fields(Columns)}
_PLAN = {each.name for each in fields(TaskPlan)} - {"kind", "data", "columns"}


def classify(data: Data = None, **options: Any) -> Result:
    """Train a text (column `text`) to its class (`label`). Options: see `train`."""
    return train("classify", data, **options)


def regress(data: Data = None, **options: Any) -> Result:
    """Train a text, or numbers (`features=(…)`), to a number (`target`) or several (`targets=`)."""
    return train("regress", data, **options)


def multilabel(data: Data = None, **options: Any) -> Result:
    """Train a text to any number of labels (`labels`)."""
    return train("multilabel", data, **options)


def tag(data: Data = None, **options: Any) -> Result:
    """Train each token of a list (`tokens`) to its tag (`tags`)."""
    return train("tag", data, **options)


def seq2seq(data: Data = None, **options: Any) -> Result:
    """Train a text (`source`) to another (`target`)."""
    return train("seq2seq", data, **options)


def train(
    kind: str, data: Data = None, *, tell: EventSink = lambda _: None, **options: Any
) -> Result:
    """Train one kind of task on files, on rows as dictionaries, or on rows made on the spot.

    Options are the names of `TaskPlan` (out, held_out, batch, resume, …), of `Settings` (epochs,
    learning_rate, seed, …) and of `Columns` (text, features, targets, level). After an interrupt
    there is a checkpoint in `out`, and `KeyboardInterrupt` is raised.
    """
    result = fit(*make_plan(kind, data, **options), tell=tell)
    if result.ended.how == "interrupted":
        raise KeyboardInterrupt
    return result


def make_plan(kind: str, data: Data = None, **options: Any) -> tuple[TaskPlan, LoopSettings]:
    """What is trained on what, and how; an option that nobody knows is refused."""
    unknown = next((name for name in options if name not in _LOOP | _COLUMNS | _PLAN), None)
    if unknown is not None:
        known = ", ".join(sorted(_LOOP | _COLUMNS | _PLAN))
        raise UserError("WS988", "no_such_option", name=unknown, known=known)

    def chosen(names: set[str]) -> dict[str, Any]:
        return {name: value for name, value in options.items() if name in names}

    columns = default_columns(kind, **chosen(_COLUMNS))
    plan = TaskPlan(kind=kind, data=data, columns=columns, **chosen(_PLAN))
    return plan, default_settings(kind, **chosen(_LOOP))
