"""The run of a supervised algorithm from its data to its result, in the order in which it happens.

An algorithm supplies what it makes of a model and its data (`prepare`); all else is here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from wellshaped.report.narrator import Narrator
from wellshaped.train.algorithms import algorithm
from wellshaped.train.artifacts.run_folder import run_in
from wellshaped.train.artifacts.trained_model import TrainedModel
from wellshaped.train.data.rows import Data
from wellshaped.train.events import EventSink
from wellshaped.train.options import settings_from
from wellshaped.train.run_frame import begin_run, end_run
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm


def train_reward(
    model: str | Path | None = None,
    data: Data | None = None,
    *,
    out: str | Path,
    tell: EventSink | None = None,
    **options: Any,
) -> TrainedModel:
    """Train a reward model on preferences and save it to the folder `out`.

    `model` is a folder or a name that `transformers` knows, `data` the names of files or rows in
    memory. Without a model a small one is made, without data reviews are generated. `options`
    are those of `train_supervised` and the settings of `Reward`, by name. `tell` is called with
    each record of the run; without one, progress is shown.
    """
    shown = tell or Narrator(end=sys.stderr)
    return train_supervised("reward", model, data, out=out, tell=shown, **options)


def train_sft(
    model: str | Path | None, data: Data, *, out: str | Path, **options: Any
) -> TrainedModel:
    """Train a causal model on demonstrations, prompts masked out, and save it to `out`.

    `data` has rows with a `prompt` and a `response`, or `messages`, or a whole `text`. Without a
    model a small one is made. `options` are those of `train_supervised` and the settings of `Sft`,
    by name.
    """
    return train_supervised("sft", model, data, out=out, **options)


def train_supervised(
    method: str,
    model: str | Path | None,
    data: Data | None,
    *,
    out: str | Path,
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    tell: EventSink | None = None,
    **settings: Any,
) -> TrainedModel:
    """Train by the algorithm of this name, and save the result to the folder `out`.

    `settings` are those of the algorithm and its parts, by name. `tell` is called with each record
    of the run; without one they are printed.
    """
    chosen = supervised_settings(method, settings, is_new=model is None)
    folder = Path(out)
    accelerator, sink = begin_run(
        folder,
        resume=resume,
        precision=chosen.loop.precision,
        trackers=trackers,
        threads=chosen.threads,
        tell=tell or Narrator(),
    )
    prepared = chosen.prepare(model, data, held_out, skip=skip_bad_rows, tell=sink)
    ended, trained = run_in(
        folder,
        prepared.task(accelerator, sink),
        chosen.loop,
        name=method,
        marks={"model": str(model), "data": prepared.digest, **chosen.marks()},
        accelerator=accelerator,
        tell=sink,
        resume=resume,
    )
    result = prepared.result(trained)
    save = partial(prepared.save, result)
    ended = end_run(ended, folder=folder, save=save, accelerator=accelerator, tell=sink)
    return TrainedModel(result, prepared.tokenizer, folder, ended)


def supervised_settings(
    method: str, given: Mapping[str, Any], *, is_new: bool = False
) -> SupervisedAlgorithm:
    """The settings of an algorithm from flat names; a model that `is_new` has its own defaults."""
    kind = algorithm(SupervisedAlgorithm, method)  # type: ignore[type-abstract]
    return settings_from(kind, {**kind.defaults(given, is_new=is_new), **given})
