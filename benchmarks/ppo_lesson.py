"""The lesson of `benchmarks.ppo` by TRL 1.12 and by ours: the true reward reached in equal time."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from accelerate import Accelerator
from datasets import Dataset
from transformers import AutoTokenizer, GPT2ForSequenceClassification
from trl.experimental.ppo import PPOTrainer

from benchmarks.ppo import taught
from benchmarks.ppo_numbers import trl_settings
from benchmarks.ppo_race import CONTENDERS, Clock, Watch
from wellshaped.train import toy_task
from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.rl.generation.policy_generator import GenerationRequest, PolicyGenerator
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.prompts import Coder, Prompt
from wellshaped.train.rl.start import load_policy
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import Sampling

# What texts are worth once the lesson is learned.
GOOD = 2.0


@dataclass
class Lesson:
    """What a seed is taught with: the policy of the demonstrations, the reward and the prompts."""

    seed: int
    folder: Path
    settings: Ppo
    tokenizer: Any
    learned: list[Prompt]
    held_out: list[Prompt]
    reward: Callable[[list[str]], list[float]]

    @classmethod
    def of(cls, seed: int, folder: Path) -> Lesson:
        """Teach it, and bring the scores of the reward model to the scale of that policy."""
        taught(seed, folder)
        tokenizer = AutoTokenizer.from_pretrained(folder / "sft")
        tokenizer.padding_side = "left"
        coder = Coder(tokenizer, length=64)
        learned, held_out = ([coder.prompt(row) for row in rows] for rows in toy_task.prompts(seed))
        # TRL does not clip gradients, and puts the score behind the end.
        settings = Ppo(
            seed=seed, kl=toy_task.POLICY["kl"], slot="after", max_gradient=1e9,
            sampling=Sampling(response_length=toy_task.POLICY["response_length"]),
        )  # fmt: skip
        made = cls(seed, folder, settings, tokenizer, learned, held_out, lambda texts: [])
        scorer = Scorer.load(folder / "reward", batch=32)
        scores_B = torch.tensor(scorer.score(made.texts(made.policy(), made.learned * 16)))
        mean, deviation = float(scores_B.mean()), float(scores_B.std())
        made.reward = lambda texts: [(one - mean) / deviation for one in scorer.score(texts)]
        return made

    def policy(self) -> Any:
        """The policy of the demonstrations, anew."""
        return load_policy(self.folder / "sft", self.tokenizer)

    def texts(self, policy: Any, prompts: list[Prompt]) -> list[str]:
        """What a policy writes, with the same noise for each policy."""
        end, sampling = self.tokenizer.eos_token_id, self.settings.sampling
        asked = [GenerationRequest(one.tokens, row, row) for row, one in enumerate(prompts)]
        written = PolicyGenerator(policy.eval(), end, sampling, self.seed)(asked, update=-7)
        return [
            prompts[one.group].text + self.tokenizer.decode(one.tokens, skip_special_tokens=True)
            for one in written
        ]

    def worth(self, policy: Any) -> float:
        """The true reward of what a policy answers to prompts it never learned from."""
        texts = self.texts(policy, self.held_out)
        answers = [text[len(one.text) :] for text, one in zip(texts, self.held_out, strict=True)]
        return toy_task.quality(answers)


@dataclass
class Course:
    """How a contender fared: what its updates took, and the true reward of what they wrote."""

    given: Lesson
    after: float = 0.0
    seconds: list[float] = field(default_factory=list)
    worths: list[float] = field(default_factory=list)

    def reward(self, texts: list[str]) -> list[float]:
        """The reward model's scores; what the texts are truly worth is noted, and not told."""
        self.worths.append(toy_task.quality(texts))
        return self.given.reward(texts)

    def until(self, worth: float) -> float:
        """The time until three updates in a row wrote so well on average; infinite if never."""
        for place in range(2, len(self.seconds)):
            if sum(self.worths[place - 2 : place + 1]) / 3 >= worth:
                return sum(self.seconds[: place + 1])
        return math.inf


def lessons(seeds: int, seconds: float, clock: Clock) -> None:
    """The task of `benchmarks.ppo` by each contender, for the same number of seconds."""
    print(
        f"the lesson, {seconds:.0f} seconds for each: true reward of answers to held-out prompts, "
        f"updates done,\nand the seconds until three updates in a row wrote texts worth {GOOD:.0f}"
    )
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as name:
            given = Lesson.of(seed, Path(name))
            before = given.worth(given.policy())
            for contender in CONTENDERS:
                course = (
                    _their_course(given, seconds, clock)
                    if contender == "TRL 1.12"
                    else _our_course(given, contender, seconds, clock)
                )
                print(
                    f"  seed {seed}  {contender:10}{before:6.2f} -> {course.after:5.2f}"
                    f"{len(course.seconds):6} updates  {course.until(GOOD):6.1f} s",
                    flush=True,
                )


def _our_course(given: Lesson, kind: Any, seconds: float, clock: Clock) -> Course:
    course = Course(given)
    learner = Learner(
        given.policy(), given.learned, course.reward, TextDecoder.of(given.tokenizer),
        settings=replace(given.settings, value=kind), accelerator=Accelerator(cpu=True),
    )  # fmt: skip
    while sum(course.seconds) < seconds:
        start = clock()
        learner.update()
        course.seconds.append(clock() - start)
    course.after = given.worth(learner.policy)
    return course


class TextReward(torch.nn.Module):
    """A function of texts in the form of a reward model as TRL calls one: states, then scores."""

    base_model_prefix = "reader"

    def __init__(self, course: Course) -> None:
        super().__init__()
        self.course = course
        self.score = torch.nn.Identity()

    @property
    def reader(self) -> Callable[..., Any]:
        """What TRL calls for the states of tokens: here the score, at every token."""
        return self.read

    def read(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **_: Any) -> Any:
        """The score of each row, as states of width 1."""
        texts = [
            self.course.given.tokenizer.decode(row_T[real_T], skip_special_tokens=True)
            for row_T, real_T in zip(input_ids, attention_mask.bool(), strict=True)
        ]
        scores_B = torch.tensor(self.course.reward(texts))
        states_BT1 = scores_B[:, None, None].expand(*input_ids.shape, 1).clone()
        return SimpleNamespace(hidden_states=(states_BT1,))


class _TimeIsUp(Exception):
    """Ends a training of TRL."""


def _their_course(given: Lesson, seconds: float, clock: Clock) -> Course:
    course = Course(given)
    policy, reference, reward = given.policy(), given.policy(), TextReward(course)
    value = GPT2ForSequenceClassification.from_pretrained(given.folder / "sft", num_labels=1)
    torch.nn.init.zeros_(value.score.weight)
    ours = given.settings
    settings = trl_settings(
        ours.prompts, ours.sampling.response_length, total_episodes=10**6, temperature=1.0,
        learning_rate=ours.learning_rate, num_ppo_epochs=ours.epochs,
        num_mini_batches=ours.prompts // ours.minibatch, seed=given.seed,
    )  # fmt: skip
    # A batch must not be larger than the data.
    times = math.ceil(ours.prompts / len(given.learned))
    rows = Dataset.from_list([{"input_ids": list(one.tokens)} for one in given.learned * times])
    trainer = PPOTrainer(
        settings, given.tokenizer, policy, reference, reward, rows, value_model=value
    )
    begun = [clock()]

    def ended() -> None:
        begun.append(clock())
        course.seconds.append(begun[-1] - begun[-2])
        if sum(course.seconds) >= seconds:
            raise _TimeIsUp

    watch = Watch(clock, given.tokenizer.eos_token_id)
    with suppress(_TimeIsUp), watch.on(trainer, ended):
        trainer.train()
    course.after = given.worth(policy)
    return course
