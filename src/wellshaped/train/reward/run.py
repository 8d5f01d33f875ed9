"""A reward run from its data to its result, in the order in which it happens."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from wellshaped.records.phrase import Phrase
from wellshaped.records.training import Ended
from wellshaped.report.narrator import Narrator
from wellshaped.train.artifacts.run_folder import enter, publish, run_in
from wellshaped.train.artifacts.track import require_trackers
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.comparisons import Comparisons
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preference_data import Data, read_comparisons
from wellshaped.train.distributed.processes import join
from wellshaped.train.events import EventSink, discard
from wellshaped.train.models.progress_bars import silence_progress_bars
from wellshaped.train.randomness import seed_all
from wellshaped.train.reward.adaptation import adapt
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.settings import RewardSettings, reward_settings
from wellshaped.train.reward.start import default_data, load_model, load_tokenizer, longest_of
from wellshaped.train.reward.trainer import training_task


@dataclass(frozen=True, slots=True)
class TrainedReward:
    """The result: a reward model with its tokenizer, where it was saved, and how it got there."""

    model: RewardModel
    tokenizer: Any
    folder: Path
    ended: Ended


@dataclass(frozen=True, slots=True)
class Prepared:
    """A model with its tokenizer, and the comparisons to train on and to evaluate with."""

    core: RewardModel
    tokenizer: Any
    trained: Comparisons
    evaluated: Comparisons


def train_reward(
    model: str | Path | None = None,
    data: Data | None = None,
    *,
    out: str | Path,
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    tell: EventSink | None = None,
    **settings: Any,
) -> TrainedReward:
    """Train a reward model on preferences and save it to the folder `out`.

    `model` is a folder or a name that `transformers` knows, `data` the names of files or rows in
    memory. Without a model a small one is made, without data reviews are generated. `settings`
    are those of `RewardSettings` and its parts, by name. `tell` is called with each record of the
    run; without one, progress is shown.
    """
    chosen = reward_settings(settings, is_new=model is None)
    folder, loop = Path(out), chosen.loop
    enter(folder, resume=resume)
    if chosen.threads is not None:
        torch.set_num_threads(chosen.threads)
    accelerator = join(precision=loop.precision, trackers=require_trackers(trackers), folder=folder)
    shown = tell or Narrator(end=sys.stderr)
    told = shown if accelerator.is_main_process else discard
    read = prepared(model, data, held_out, chosen, skip=skip_bad_rows, tell=told)
    core, tokenizer = read.core, read.tokenizer
    for refused in core.settle(max(read.trained.longest() + read.evaluated.longest())).refused:
        told(refused)
    ended, core = run_in(
        folder,
        training_task(core, read.trained, read.evaluated, chosen, accelerator=accelerator),
        loop,
        name="reward",
        marks={"model": str(model), "data": read.trained.digest(), **chosen.marks()},
        accelerator=accelerator,
        tell=told,
        resume=resume,
    )
    if accelerator.is_main_process and ended.how != "interrupted":
        with silence_progress_bars():
            publish(folder, lambda draft: core.save_pretrained(draft, tokenizer=tokenizer))
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    core.eval()
    told(ended)
    return TrainedReward(core, tokenizer, folder, ended)


def prepared(
    model: str | Path | None,
    data: Data | None,
    held_out: Data | None,
    settings: RewardSettings,
    *,
    skip: bool,
    tell: EventSink,
) -> Prepared:
    """Load the model, and read all data; rows that cannot be used are told."""
    seed_all(settings.loop.seed)
    if data is None:
        data, held_out = default_data(settings.loop.seed)
    tokenizer = load_tokenizer(model, data)
    core = load_model(model, tokenizer, pooling=settings.pooling, fast=settings.fast)
    encoder = _encoder(core, tokenizer, settings.length)
    trained = _read(data, encoder, skip=skip, tell=tell)
    if held_out is None:
        trained, evaluated = split(trained, share=settings.hold_out, seed=settings.loop.seed)
    else:
        evaluated = _read(held_out, encoder, skip=skip, tell=tell)
    facts = {"pairs": trained.pairs, "tokens": trained.tokens, "held": evaluated.pairs}
    tell(Phrase("comparisons_read", facts))
    adapt(core, settings.adaptation)
    return Prepared(core, tokenizer, trained, evaluated)


def split(comparisons: Comparisons, *, share: float, seed: int) -> tuple[Comparisons, Comparisons]:
    """Those to train on and those to evaluate with, drawn by the seed; at least one of each."""
    count = round(share * len(comparisons))
    if share and len(comparisons) > 1:
        count = min(max(count, 1), len(comparisons) - 1)
    random = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(comparisons), generator=random).tolist()
    kept, held = sorted(order[count:]), sorted(order[:count])
    return (
        Comparisons(comparisons[place] for place in kept),
        Comparisons(comparisons[place] for place in held),
    )


def _encoder(core: RewardModel, tokenizer: Any, length: int) -> Encoder:
    size = core.transformer.get_input_embeddings().num_embeddings
    return Encoder(tokenizer, length=longest_of(core.config, length), vocabulary=size)


def _read(data: Data, encoder: Encoder, *, skip: bool, tell: EventSink) -> Comparisons:
    bad = BadRows()
    comparisons, shortened = read_comparisons(data, encoder, bad=bad)
    bad.settle(skip=skip, tell=tell)
    tell(shortened)
    return comparisons
