"""A reward run from its data to its result, in the order in which it happens."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import torch

from wellshaped.records.phrase import Phrase, Told
from wellshaped.records.training import Ended
from wellshaped.train.bad_rows import BadRows
from wellshaped.train.checkpoint import Checkpoints, flush
from wellshaped.train.comparisons import Comparisons
from wellshaped.train.encode import Encoder
from wellshaped.train.loop import Loop
from wellshaped.train.preference_data import Data, read_comparisons
from wellshaped.train.processes import join
from wellshaped.train.quiet import quiet
from wellshaped.train.randomness import seed_all
from wellshaped.train.reward.adapt import adapt
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.settings import RewardSettings, reward_settings
from wellshaped.train.reward.start import default_data, load_model, load_tokenizer, longest_of
from wellshaped.train.reward.trainer import work_of
from wellshaped.train.track import Track, require_trackers

# Takes each record as it comes: bad rows, what was cut, notes, steps, and the end.
Tell: TypeAlias = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """The result: a reward model with its tokenizer, where it was saved, and how it got there."""

    model: RewardModel
    tokenizer: Any
    folder: Path
    ended: Ended


def train_reward(
    model: str | Path | None = None,
    data: Data | None = None,
    *,
    out: str | Path,
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    tell: Tell = lambda _: None,
    **settings: Any,
) -> Trained:
    """Train a reward model on preferences and save it to the folder `out`.

    `model` is a folder or a name that `transformers` knows, `data` the names of files or rows in
    memory. Without a model a small one is made, without data reviews are generated. `settings`
    are those of `RewardSettings` and its parts, by name.
    """
    chosen = reward_settings(settings, is_new=model is None)
    folder = Path(out)
    accelerator = join(
        precision=chosen.loop.precision, trackers=require_trackers(trackers), folder=folder
    )
    told = tell if accelerator.is_main_process else _nothing
    seed_all(chosen.loop.seed)
    if data is None:
        data, held_out = default_data(chosen.loop.seed)
    tokenizer = load_tokenizer(model, data)
    core = load_model(model, tokenizer, pooling=chosen.pooling, fast=chosen.fast)
    encoder = _encoder(core, tokenizer, chosen.length)
    trained = _read(data, encoder, skip=skip_bad_rows, tell=told)
    if held_out is None:
        trained, evaluated = split(trained, share=chosen.hold_out, seed=chosen.loop.seed)
    else:
        evaluated = _read(held_out, encoder, skip=skip_bad_rows, tell=told)
    facts = {"pairs": trained.pairs, "tokens": trained.tokens, "held": evaluated.pairs}
    told(Phrase("comparisons_read", facts))
    adapt(core, chosen.adaptation)
    for refused in core.settle(max(trained.longest() + evaluated.longest())).refused:
        told(refused)
    marks = {"model": str(model), "data": trained.digest(), **chosen.marks()}
    loop = Loop(
        work_of(core, trained, evaluated, chosen, accelerator=accelerator),
        chosen.loop,
        accelerator=accelerator,
        checkpoints=_checkpoints(folder, marks, chosen, resume=resume),
        track=Track(folder / "track", accelerator=accelerator, run="reward"),
        tell=told,
    )
    ended = loop.run(resume=resume)
    if accelerator.is_main_process and ended.how != "interrupted":
        _publish(core, tokenizer, folder)
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    told(ended)
    return Trained(core, tokenizer, folder, ended)


def split(comparisons: Comparisons, *, share: float, seed: int) -> tuple[Comparisons, Comparisons]:
    """Those to train on and those to evaluate on, drawn by the seed; at least one of each."""
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


def _nothing(record: Any) -> None:
    """Processes other than the first are silent."""


def _encoder(core: RewardModel, tokenizer: Any, length: int) -> Encoder:
    size = core.transformer.get_input_embeddings().num_embeddings
    return Encoder(tokenizer, length=longest_of(core.config, length), vocabulary=size)


def _read(data: Data, encoder: Encoder, *, skip: bool, tell: Tell) -> Comparisons:
    bad = BadRows()
    comparisons, shortened = read_comparisons(data, encoder, bad=bad)
    bad.settle(skip=skip, tell=tell)
    tell(shortened)
    return comparisons


def _checkpoints(
    folder: Path, marks: dict[str, Any], settings: RewardSettings, *, resume: bool
) -> Checkpoints:
    loop = settings.loop
    found = Checkpoints(folder / "checkpoints", marks=marks, keep=loop.keep, better=loop.better)
    if found.all() and not resume:
        raise Told("WS986", "run_exists", folder=str(folder))
    return found


def _publish(core: RewardModel, tokenizer: Any, folder: Path) -> None:
    """Write the result beside its place, and then put each file where it belongs."""
    draft = folder / ".draft-result"
    shutil.rmtree(draft, ignore_errors=True)
    with quiet():
        core.save_pretrained(draft, tokenizer=tokenizer)
    for path in draft.iterdir():
        flush(path)
        os.replace(path, folder / path.name)
    draft.rmdir()
    flush(folder)
