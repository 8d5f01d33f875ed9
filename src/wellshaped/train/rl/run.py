"""A run of policy learning from its prompts to its result, in the order in which it happens."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from wellshaped.records.phrase import Phrase, Told
from wellshaped.report.narrator import Narrator
from wellshaped.train.artifacts.run_folder import enter
from wellshaped.train.artifacts.track import require_trackers
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.distributed.processes import join
from wellshaped.train.events import EventSink, discard
from wellshaped.train.models.adapters import add_lora
from wellshaped.train.randomness import seed_all
from wellshaped.train.reward.start import load_tokenizer
from wellshaped.train.rl.data import Coder, Data, Prompt, divided, read_prompts
from wellshaped.train.rl.generation.server_probe import Address, find_server
from wellshaped.train.rl.generation.weight_refresh import Command
from wellshaped.train.rl.learner import Learner, Words
from wellshaped.train.rl.loop import PolicyLoop
from wellshaped.train.rl.result import Trained, save
from wellshaped.train.rl.scoring import Reward
from wellshaped.train.rl.settings import RunSettings, run_settings
from wellshaped.train.rl.start import load_policy, load_reward, positions_of


def train_policy(
    model: str | Path,
    data: Data,
    reward: str | Path | Reward,
    *,
    out: str | Path,
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    endpoint: Address | None = None,
    refresh: Command | None = None,
    tell: EventSink | None = None,
    **settings: Any,
) -> Trained:
    """Improve a policy by rewards, with PPO or REINFORCE, and save it to the folder `out`.

    `data` has rows with a `prompt`. `reward` is a folder with a reward model, `file.py:function`,
    or a function from texts to numbers. `endpoint` is the URL of a server that writes responses,
    with the name of its model if it has several; `refresh` brings it a folder with the policy.
    `settings` are those of `RunSettings` and its parts. `tell` is called with each record of the
    run; without one they are printed.
    """
    chosen = run_settings(settings)
    folder = Path(out)
    enter(folder, resume=resume)
    accelerator = join(
        precision=chosen.precision, trackers=require_trackers(trackers), folder=folder
    )
    told: EventSink = (tell or Narrator()) if accelerator.is_main_process else discard
    server = find_server(endpoint, refresh)
    learner, tokenizer, marks = prepared(
        model, data, reward, held_out, chosen, accelerator, skip=skip_bad_rows, tell=told
    )
    if server is not None:
        learner.generator = server.generator(learner, tokenizer, folder, tell=told)
    ended = PolicyLoop(learner, chosen, folder, marks, tell=told).run(resume=resume)
    actor = learner.trained()
    if accelerator.is_main_process and ended.how != "interrupted":
        named = actor.state_dict().items()
        values = {name: one for name, one in named if not name.startswith("model.")}
        save(actor.model, tokenizer, folder, values=values)
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    told(ended)
    return Trained(actor.model, tokenizer, folder, ended)


def prepared(
    model: str | Path,
    data: Data,
    reward: str | Path | Reward,
    held_out: Data | None,
    settings: RunSettings,
    accelerator: Any,
    *,
    skip: bool,
    tell: EventSink,
) -> tuple[Learner, Any, dict[str, Any]]:
    """A learner, its tokenizer, and what tells its run from others."""
    seed_all(settings.learning.seed)
    tokenizer = load_tokenizer(model, ())
    policy = load_policy(model, tokenizer)
    learned, others = _prompts(policy, tokenizer, data, held_out, settings, skip, tell)
    scorer, name = load_reward(reward)
    seed_all(settings.learning.seed)  # an adapter is the same whatever a reward drew
    if not settings.learning.sampling.exact:
        tell(Phrase("kl_not_exact", {}))
    learner = Learner(
        add_lora(policy, settings.lora) if settings.lora else policy,
        learned,
        scorer,
        Words.of(tokenizer),
        settings=settings.learning,
        accelerator=accelerator,
        held_out=others,
    )
    marks = {"model": str(model), "reward": name, "prompts": _digest(learned)}
    return learner, tokenizer, {**marks, **settings.marks()}


def _prompts(
    policy: Any,
    tokenizer: Any,
    data: Data,
    held_out: Data | None,
    settings: RunSettings,
    skip: bool,
    tell: EventSink,
) -> tuple[list[Prompt], list[Prompt]]:
    """Prompts to learn from and to evaluate on, short enough that a response fits behind them."""
    positions = positions_of(policy)
    room = settings.prompt_length
    if positions is not None:
        room = min(room, positions - settings.learning.sampling.length)
    if room < 1:
        length = settings.learning.sampling.length
        raise Told("WS999", "no_room_for_prompts", positions=positions, length=length)
    vocabulary = policy.get_input_embeddings().num_embeddings
    coder = Coder(tokenizer, length=room, vocabulary=vocabulary)
    found = []
    for given in (data, held_out):
        if given is not None:
            bad = BadRows()
            found.append(read_prompts(given, coder, bad=bad))
            bad.settle(skip=skip, tell=tell)
    learned = found[0]
    if len(found) == 2:
        return learned, found[1][: settings.evaluated]
    count = min(round(settings.hold_out * len(learned)), settings.evaluated)
    return divided(learned, count, seed=settings.learning.seed)


def _digest(prompts: list[Prompt]) -> str:
    mark = sha256(repr([one.tokens for one in prompts]).encode())
    return mark.hexdigest()[:16]
