"""PPO of TRL 1.12 and ours side by side: tokens a second of rollouts and of updates.

TRL's trainer is used as it is, with clocks around its parts. Rollouts are writing, and judging by
reference, value function and reward model; updates are all epochs over them. Only tokens up to
the end of a response count.
"""

from __future__ import annotations

import copy
import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from statistics import median
from typing import Any
from unittest.mock import patch

import torch
from accelerate import Accelerator
from datasets import Dataset
from trl.experimental.ppo import PPOTrainer, ppo_trainer

from benchmarks.ppo_numbers import END, Size, models, plain_tokenizer, trl_settings
from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.rl.experience import experience_of
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.prompts import Prompt
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import Sampling

Clock = Callable[[], float]
CONTENDERS = ("TRL 1.12", "separate", "shared")
EPOCHS, UPDATES = 4, 2  # of which the first warms up


@dataclass
class Phases:
    """The seconds of one update's parts, and the tokens that were written."""

    wrote: float = 0.0
    scored: float = 0.0
    learned: float = 0.0
    tokens: int = 0

    def rates(self) -> dict[str, float]:
        """Tokens a second."""
        whole = self.wrote + self.scored + self.learned
        return {
            "writing": self.tokens / self.wrote,
            "rollouts": self.tokens / (self.wrote + self.scored),
            "updates": EPOCHS * self.tokens / self.learned,
            "all of it": self.tokens / whole,
        }


@dataclass
class Watch:
    """Clocks around the parts of TRL's loop: the functions it calls mark where they end."""

    clock: Clock
    end: int
    phases: list[Phases] = field(default_factory=list)
    last: float = 0.0

    def lap(self) -> float:
        """Seconds since the last call."""
        before, self.last = self.last, self.clock()
        return self.last - before

    @contextmanager
    def on(self, trainer: Any, ended: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Inside, the trainer's updates are timed; `ended` is called after each."""
        generate, whiten = ppo_trainer.batch_generation, ppo_trainer.masked_whiten

        def written(model: Any, queries: torch.Tensor, *rest: Any) -> Any:
            self.lap()
            found = generate(model, queries, *rest)
            tokens = _real(found[0][:, queries.shape[1] :], self.end)
            self.phases.append(Phases(wrote=self.lap(), tokens=tokens))
            return found

        def whitened(*given: Any, **named: Any) -> Any:
            found = whiten(*given, **named)
            self.phases[-1].scored = self.lap()
            return found

        def logged(_: Any) -> None:
            self.phases[-1].learned = self.lap()
            ended()

        with (
            patch.object(ppo_trainer, "batch_generation", written),
            patch.object(ppo_trainer, "masked_whiten", whitened),
            patch.object(trainer, "log", logged),
            redirect_stdout(io.StringIO()),
        ):
            yield


def _real(responses_BR: torch.Tensor, end: int) -> int:
    """How many tokens there are up to the ends."""
    ended_BR = (responses_BR == end).long().cumsum(1)  # (B, R)
    return int((ended_BR - (responses_BR == end).long() == 0).sum())


def timed_update(learner: Learner, clock: Clock) -> Phases:
    """One update of ours, by its parts."""
    settings = learner.settings
    start = clock()
    written = learner.generate(learner._groups(learner.done), learner.done)
    wrote = clock()
    experience = experience_of(learner.score(written), settings, learner.coefficient.value)
    judged = clock()
    learner.learn(experience)
    learner.done += 1
    tokens = sum(len(one.tokens) for one in written)
    return Phases(wrote - start, judged - wrote, clock() - judged, tokens)


def speed(rounds: int, clock: Clock) -> None:
    """Tokens a second of each contender, one after the other in each round."""
    size = Size(layers=4, width=128, responses=32, length=64, words=512, positions=256)
    given = models(size)
    _end_now_and_then(given[0], 1 / 28)
    prompts = _prompts(size)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name in CONTENDERS:
            phases = (
                _theirs(size, given, prompts, clock)
                if name == "TRL 1.12"
                else _ours(size, given, prompts, name, clock)
            )
            found[name].append(_medians([one.rates() for one in phases[1:]]))
    lengths = [len(one.tokens) for one in prompts]
    print(
        f"tokens a second: {size.layers} layers of width {size.width}, {size.words} words, "
        f"{size.responses} prompts of {min(lengths)} to {max(lengths)} tokens,\n"
        f"responses of up to {size.length}, {EPOCHS} epochs of 2 minibatches; "
        f"medians of {rounds} interleaved rounds"
    )
    _print_table({name: _medians(rows) for name, rows in found.items()})


def _print_table(rates: dict[str, dict[str, float]]) -> None:
    theirs, separate, shared = (rates[name] for name in CONTENDERS)
    print(f"  {'':12}{'TRL 1.12':>10}{'separate':>12}{'':8}{'shared':>12}")
    for name, base in theirs.items():
        print(
            f"  {name:12}{base:10.0f}{separate[name]:12.0f} {separate[name] / base:5.2f} x"
            f"{shared[name]:12.0f} {shared[name] / base:5.2f} x"
        )
    print(flush=True)


def _medians(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: median(row[name] for row in rows) for name in rows[0]}


@torch.no_grad()
def _end_now_and_then(policy: Any, chance: float) -> None:
    """Give a random policy an end that comes with about this chance at each token."""
    bias = torch.zeros(policy.config.n_embd)
    bias[0] = 8.0
    policy.transformer.ln_f.bias.copy_(bias)
    policy.transformer.wte.weight[:, 0] = 0.0
    policy.transformer.wte.weight[END] = 0.0
    # Beside it the words of a random policy: their weights of deviation 0.08 and states of 1.
    spread = (0.08**2) * policy.config.n_embd
    others = math.log(policy.config.vocab_size) + spread / 2
    policy.transformer.wte.weight[END, 0] = (others + math.log(chance / (1 - chance))) / bias[0]


def _prompts(size: Size) -> list[Prompt]:
    chance = torch.Generator().manual_seed(1)
    found = []
    for number in range(size.responses):
        length = 8 + (37 * number) % 57
        tokens = torch.randint(2, size.words, (length,), generator=chance).tolist()
        found.append(Prompt(" ".join(map(str, tokens)), tuple(tokens)))
    return found


def _theirs(
    size: Size, given: tuple[Any, ...], prompts: list[Prompt], clock: Clock
) -> list[Phases]:
    policy, _, _, reward, value = (copy.deepcopy(one) for one in given)
    settings = trl_settings(
        size.responses, size.length, total_episodes=UPDATES * size.responses, temperature=1.0,
        learning_rate=0.0, num_ppo_epochs=EPOCHS, num_mini_batches=2,
    )  # fmt: skip
    rows = Dataset.from_list([{"input_ids": list(one.tokens)} for one in prompts])
    trainer = PPOTrainer(
        settings, plain_tokenizer(), policy, copy.deepcopy(policy), reward, rows, value_model=value
    )
    watch = Watch(clock, END)
    with watch.on(trainer):
        trainer.train()
    return watch.phases


def _ours(
    size: Size, given: tuple[Any, ...], prompts: list[Prompt], kind: Any, clock: Clock
) -> list[Phases]:
    policy, _, _, reward, _ = (copy.deepcopy(one) for one in given)
    settings = Ppo(
        prompts=size.responses, minibatch=size.responses // 2, epochs=EPOCHS, learning_rate=0.0,
        value=kind, sampling=Sampling(response_length=size.length),
    )  # fmt: skip
    scorer = RewardModel(reward.transformer, head=reward.score.weight).eval()

    @torch.no_grad()
    def scored(texts: list[str]) -> torch.Tensor:
        return scorer.score([torch.tensor([*map(int, text.split())]) for text in texts])

    words = TextDecoder(END, lambda tokens: "".join(f" {token}" for token in tokens))
    learner = Learner(
        policy, prompts, scored, words, settings=settings, accelerator=Accelerator(cpu=True)
    )
    return [timed_update(learner, clock) for _ in range(UPDATES)]
