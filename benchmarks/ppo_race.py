"""PPO of TRL 1.12 and ours side by side: tokens a second, and the reward reached in equal time.

TRL's trainer is used as it is, with clocks around its parts. Rollouts are writing, and judging by
reference, value function and reward model; updates are all epochs over them. Only tokens up to
the end of a response count.
"""

from __future__ import annotations

import copy
import io
import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch
from accelerate import Accelerator
from datasets import Dataset
from transformers import AutoTokenizer, GPT2ForSequenceClassification
from trl.experimental.ppo import PPOTrainer, ppo_trainer

from benchmarks.ppo import taught
from benchmarks.ppo_trl import END, Size, models, plain_tokenizer, trl_settings
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.rl import lesson
from wellshaped.train.rl.data import Coder, Prompt
from wellshaped.train.rl.experience import experience_of
from wellshaped.train.rl.learner import Learner, Words
from wellshaped.train.rl.rollout import Asked, PolicyGenerator
from wellshaped.train.rl.sampling import Sampling
from wellshaped.train.rl.settings import Settings
from wellshaped.train.rl.start import load_policy

Clock = Callable[[], float]
CONTENDERS = ("TRL 1.12", "separate", "shared")
GOOD = 2.0
EPOCHS, UPDATES = 4, 2  # of which the first warms up


@dataclass
class Phases:
    """The seconds of one update's parts, and the tokens that were written."""

    wrote: float = 0.0
    judged: float = 0.0
    learned: float = 0.0
    tokens: int = 0

    def rates(self) -> dict[str, float]:
        """Tokens a second."""
        whole = self.wrote + self.judged + self.learned
        return {
            "writing": self.tokens / self.wrote,
            "rollouts": self.tokens / (self.wrote + self.judged),
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
            self.phases[-1].judged = self.lap()
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
    written = learner.written(learner._groups(learner.done), learner.done)
    wrote = clock()
    experience = experience_of(learner.judged(written), settings, learner.coefficient.value)
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
    settings = Settings(
        prompts=size.responses, minibatch=size.responses // 2, epochs=EPOCHS, learning_rate=0.0,
        value=kind, sampling=Sampling(length=size.length),
    )  # fmt: skip
    scorer = RewardModel(reward.transformer, head=reward.score.weight).eval()

    @torch.no_grad()
    def scored(texts: list[str]) -> torch.Tensor:
        return scorer.score([torch.tensor([*map(int, text.split())]) for text in texts])

    words = Words(END, lambda tokens: "".join(f" {token}" for token in tokens))
    learner = Learner(
        policy, prompts, scored, words, settings=settings, accelerator=Accelerator(cpu=True)
    )
    return [timed_update(learner, clock) for _ in range(UPDATES)]


@dataclass
class Lesson:
    """What a seed is taught with: the policy of the demonstrations, the reward and the prompts."""

    seed: int
    folder: Path
    settings: Settings
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
        learned, held_out = ([coder.prompt(row) for row in rows] for rows in lesson.prompts(seed))
        # TRL does not clip gradients, and puts the score behind the end.
        settings = Settings(
            seed=seed, kl=lesson.POLICY["kl"], slot="after", max_gradient=1e9,
            sampling=Sampling(length=lesson.POLICY["response_length"]),
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
        asked = [Asked(one.tokens, row, row) for row, one in enumerate(prompts)]
        written = PolicyGenerator(policy.eval(), end, sampling, self.seed)(asked, update=-7)
        return [
            prompts[one.group].text + self.tokenizer.decode(one.tokens, skip_special_tokens=True)
            for one in written
        ]

    def worth(self, policy: Any) -> float:
        """The true reward of what a policy answers to prompts it never learned from."""
        texts = self.texts(policy, self.held_out)
        answers = [text[len(one.text) :] for text, one in zip(texts, self.held_out, strict=True)]
        return lesson.quality(answers)


@dataclass
class Course:
    """How a contender fared: what its updates took, and the true reward of what they wrote."""

    given: Lesson
    after: float = 0.0
    seconds: list[float] = field(default_factory=list)
    worths: list[float] = field(default_factory=list)

    def reward(self, texts: list[str]) -> list[float]:
        """The reward model's scores; what the texts are truly worth is noted, and not told."""
        self.worths.append(lesson.quality(texts))
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
        given.policy(), given.learned, course.reward, Words.of(given.tokenizer),
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
        ours.prompts, ours.sampling.length, total_episodes=10**6, temperature=1.0,
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
