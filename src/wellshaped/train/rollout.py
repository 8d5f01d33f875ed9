"""The run of a policy method from its prompts to its result, in the order in which it happens.

A method supplies its settings, its advantages and its loss; all else is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.report.narrator import Narrator
from wellshaped.train.algorithms import algorithm
from wellshaped.train.artifacts.trained_model import TrainedModel
from wellshaped.train.data.rows import Data
from wellshaped.train.events import EventSink
from wellshaped.train.models.adapters import add_lora
from wellshaped.train.options import settings_from
from wellshaped.train.randomness import seed_all
from wellshaped.train.reward.start import load_tokenizer
from wellshaped.train.rl.generation.server_probe import Address, find_server
from wellshaped.train.rl.generation.weight_refresh import Command
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.loop import PolicyLoop
from wellshaped.train.rl.prompts import Prompt, prompts_digest, split_prompts
from wellshaped.train.rl.result import save_policy
from wellshaped.train.rl.scoring import Reward
from wellshaped.train.rl.start import coder_of, load_policy, load_reward, positions_of
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import RolloutAlgorithm
from wellshaped.train.run_frame import begin_run, end_run


def train_policy(
    model: str | Path,
    data: Data,
    reward: str | Path | Reward,
    *,
    out: str | Path,
    method: str = "ppo",
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    endpoint: Address | None = None,
    refresh: Command | None = None,
    tell: EventSink | None = None,
    **settings: Any,
) -> TrainedModel:
    """Improve a policy by rewards, by the method of this name, and save it to the folder `out`.

    `data` has rows with a `prompt`. `reward` is a folder with a reward model, `file.py:function`,
    or a function from texts to numbers. `endpoint` is the URL of a server that writes responses,
    with the name of its model if it has several; `refresh` brings it a folder with the policy.
    `settings` are those of the method and its sampling. `tell` is called with each record of the
    run; without one they are printed.
    """
    chosen = rollout_settings(method, settings)
    folder = Path(out)
    accelerator, sink = begin_run(
        folder,
        resume=resume,
        precision=chosen.precision,
        trackers=trackers,
        threads=chosen.threads,
        tell=tell or Narrator(),
    )
    server = find_server(endpoint, refresh)
    learner, tokenizer, marks = prepare(
        model, data, reward, held_out, chosen, accelerator, skip=skip_bad_rows, tell=sink
    )
    if server is not None:
        learner.generator = server.generator(learner, tokenizer, folder, tell=sink)
    ended = PolicyLoop(learner, chosen, folder, marks, tell=sink).run(resume=resume)
    actor = learner.trained()
    named = actor.state_dict().items()
    values = {name: one for name, one in named if not name.startswith("model.")}
    save = partial(save_policy, actor.model, tokenizer, values=values)
    ended = end_run(ended, folder=folder, save=save, accelerator=accelerator, tell=sink)
    return TrainedModel(actor.model, tokenizer, folder, ended)


def rollout_settings(method: str, given: Mapping[str, Any]) -> RolloutAlgorithm:
    """The settings of a method from flat names, such as `kl`, `temperature` or `lora`."""
    kind = algorithm(RolloutAlgorithm, method)  # type: ignore[type-abstract]
    return settings_from(kind, given)


def prepare(
    model: str | Path,
    data: Data,
    reward: str | Path | Reward,
    held_out: Data | None,
    settings: RolloutAlgorithm,
    accelerator: Any,
    *,
    skip: bool,
    tell: EventSink,
) -> tuple[Learner, Any, dict[str, Any]]:
    """A learner, its tokenizer, and what tells its run from others."""
    seed_all(settings.seed)
    tokenizer = load_tokenizer(model, ())
    policy = load_policy(model, tokenizer)
    learned, others = _prompts(policy, tokenizer, data, held_out, settings, skip, tell)
    scorer, name = load_reward(reward)
    seed_all(settings.seed)  # an adapter is the same whatever a reward drew
    if not settings.sampling.exact:
        tell(Phrase("kl_not_exact", {}))
    learner = Learner(
        add_lora(policy, settings.lora) if settings.lora else policy,
        learned,
        scorer,
        TextDecoder.of(tokenizer),
        settings=settings,
        accelerator=accelerator,
        held_out=others,
    )
    marks = {"model": str(model), "reward": name, "prompts": prompts_digest(learned)}
    return learner, tokenizer, {**marks, **settings.marks()}


def _prompts(
    policy: Any,
    tokenizer: Any,
    data: Data,
    held_out: Data | None,
    settings: RolloutAlgorithm,
    skip: bool,
    tell: EventSink,
) -> tuple[list[Prompt], list[Prompt]]:
    """Prompts to learn from and to evaluate on, short enough that a response fits behind them."""
    length, positions = settings.sampling.response_length, positions_of(policy)
    room = settings.prompt_length
    if positions is not None:
        room = min(room, positions - length)
    if room < 1:
        raise UserError("WS999", "no_room_for_prompts", positions=positions, length=length)
    return split_prompts(
        data,
        held_out,
        coder_of(policy, tokenizer, length=room),
        share=settings.hold_out,
        most=settings.evaluated,
        seed=settings.seed,
        skip=skip,
        tell=tell,
    )
