"""One policy that learns: it writes responses, they are judged, and it is improved by them.

The order of prompts, the noise of the draws and the order of minibatches come from the seed and
the number of the update alone. So a run goes on after a kill as if nothing had happened, and
several processes do together what one does alone.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import UserError
from wellshaped.train.distributed.processes import is_sharded
from wellshaped.train.distributed.stepper import stepper
from wellshaped.train.models.adapters import enable_gradient_checkpointing
from wellshaped.train.rl.experience import Experience, ScoredResponse, experience_of
from wellshaped.train.rl.generation.policy_generator import (
    GenerationRequest,
    Generator,
    PolicyGenerator,
)
from wellshaped.train.rl.kl import KlCoefficient
from wellshaped.train.rl.policy import Actor, Reference
from wellshaped.train.rl.policy_step import PolicyStep
from wellshaped.train.rl.prompts import Prompt
from wellshaped.train.rl.responses import Response, response_batch
from wellshaped.train.rl.scoring import Dialogue, Reward, scores_of
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import RolloutAlgorithm


class Learner:
    """A policy, its reference, its reward and its optimizer; `update` improves it once."""

    def __init__(
        self,
        model: nn.Module,
        prompts: Sequence[Prompt],
        reward: Reward,
        decoder: TextDecoder,
        *,
        settings: RolloutAlgorithm,
        accelerator: Any,
        held_out: Sequence[Prompt] = (),
        generator: Generator | None = None,
    ) -> None:
        if not prompts:
            raise UserError("WS999", "no_prompts")
        self.settings, self.decoder, self.reward = settings, decoder, reward
        self.prompts, self.accelerator = (*prompts, *held_out), accelerator
        self.prompt_count = len(prompts)
        actor = Actor(model, value=settings.value_kind)
        self.reference = Reference(model)
        if settings.checkpointing:
            for part in (model, actor.backbone):
                if part is not None:
                    enable_gradient_checkpointing(part)
        if is_sharded(accelerator):
            actor.packs(self.longest)  # what is tried on it, is tried while it has its weights
        trained = [one for one in actor.parameters() if one.requires_grad]
        # The epsilon of the baselines that PPO is compared with; it matters for small gradients.
        optimizer = torch.optim.AdamW(
            trained, lr=settings.learning_rate, eps=1e-5, weight_decay=0.0, fused=True
        )
        self.stepper = stepper(accelerator, actor, optimizer, clip=settings.max_gradient)
        self.step = PolicyStep(self.stepper, settings, accelerator=accelerator)
        self._gathered = self.stepper.gathered()
        if self._gathered is None:
            self.reference.to(accelerator.device)
        else:
            self.reference.share_out(accelerator, self.policy)
        self.coefficient = KlCoefficient(
            settings.kl, settings.kl_target or None, settings.kl_horizon
        )
        self.scale = (0.0, 1.0)  # mean and deviation of the scores under the reference
        self.done = 0
        self.generator = generator or self.generated_by(self.policy)

    @property
    def longest(self) -> int:
        """The most tokens that a prompt and its response can have."""
        return max(len(one.tokens) for one in self.prompts) + self.settings.sampling.response_length

    @property
    def core(self) -> Actor:
        """The policy and its values, outside of whatever was wrapped around them."""
        return self.step.core

    @property
    def writer(self) -> Actor:
        """The policy as it writes: of one that is sharded, the shell that is `whole`."""
        return self.core if self._gathered is None else cast(Actor, self._gathered.shell)

    @property
    def policy(self) -> nn.Module:
        """The model that writes."""
        return self.writer.model

    def whole(self) -> contextlib.AbstractContextManager[None]:
        """Have all weights of the policy here, for all processes at once."""
        return contextlib.nullcontext() if self._gathered is None else self._gathered.whole()

    def generated_by(self, model: nn.Module) -> PolicyGenerator:
        """Responses written by a model with the options of this run."""
        settings = self.settings
        return PolicyGenerator(
            model, self.decoder.end, settings.sampling, settings.seed, packs=self.writer.packs
        )

    def begin(self) -> None:
        """Set the scale of the scores by what the reference writes, if that was asked for."""
        count = self.settings.normalise
        if count:
            numbers = [number % self.prompt_count for number in range(count)]
            found = self._scored_responses(numbers, -1)
            scores_B = torch.tensor([one.score for one in found])
            self.scale = float(scores_B.mean()), max(float(scores_B.std()), 1e-6)

    def update(self) -> tuple[Experience, dict[str, float]]:
        """Write, judge, learn; what was learned from, and the numbers of it."""
        began = time.monotonic()
        groups = self._groups(self.done)
        experience = self.experience(groups, self.done)
        wrote = time.monotonic()
        shown = self.learn(experience)
        kl = float(experience.kl_B.mean())
        shown |= experience.summary(self.coefficient.value)
        self.coefficient.update(kl, responses=len(experience.scored))
        tokens = int(experience.batch.mask_BR.sum())
        shown["written_per_second"] = tokens / max(wrote - began, 1e-9)
        shown["learned_per_second"] = tokens * shown["epochs"] / max(time.monotonic() - wrote, 1e-9)
        self.done += 1
        return experience, shown

    def evaluate(self) -> tuple[Experience, dict[str, float]]:
        """Responses to the prompts that are held out, drawn with the same noise each time."""
        experience = self.experience(list(range(self.prompt_count, len(self.prompts))), -2)
        return experience, experience.summary(self.coefficient.value)

    def experience(self, groups: Sequence[int], update: int) -> Experience:
        """What responses to the prompts of these numbers have to teach."""
        found = self._scored_responses(groups, update)
        return experience_of(found, self.settings, self.coefficient.value)

    def generate(self, groups: Sequence[int], update: int) -> list[Response]:
        """A response of this process's share of the rows, for the prompts of these numbers."""
        world, rank = self.accelerator.num_processes, self.accelerator.process_index
        requests = [
            GenerationRequest(self.prompts[group].tokens, group, row)
            for row, group in enumerate(groups)
        ][rank::world]
        with self.whole(), self.accelerator.autocast():
            return self.generator(requests, update=update)

    @torch.no_grad()
    def score(self, responses: Sequence[Response]) -> list[ScoredResponse]:
        """The responses of all processes in their order, with all that is needed to learn."""
        texts = [self._text(one) for one in responses]
        scores = scores_of(self.reward, texts).tolist()
        mean, deviation = self.scale
        found: list[ScoredResponse] = []
        size = self.settings.minibatch
        with self.whole(), self.reference.at_hand():
            for start in range(0, len(responses), size):
                chosen = responses[start : start + size]
                reference, values = self._reference_and_values(chosen)
                for place, one in enumerate(chosen, start):
                    score = (scores[place] - mean) / deviation
                    row = place - start
                    found.append(
                        ScoredResponse(one, str(texts[place]), score, reference[row], values[row])
                    )
        return self._gather(found)

    def trained(self) -> Actor:
        """The policy and its values, whole, with the attention they came with; for all to ask."""
        made = self.writer if self._gathered else cast(Actor, self.stepper.trained())
        if self._gathered is not None:
            self._gathered.fill()
        made.attend_as_before()
        return made

    def learn(self, experience: Experience) -> dict[str, float]:
        """Several epochs of minibatches over one batch of responses."""
        settings = self.settings
        rate = settings.learning_rate * self._warmup_factor()
        sums: Counter[str] = Counter()
        steps = epochs = 0
        first_ratio = 0.0
        for epoch in range(settings.epochs):
            for rows in self._minibatches(len(experience.scored), epoch):
                shown = self.step(experience, rows, rate=rate)
                first_ratio = first_ratio if steps else shown["ratio"]
                sums.update(shown)
                steps += 1
                if shown["moved"] > (settings.stop_kl or math.inf):
                    return {**_means(sums, steps), "epochs": epoch + 1, "first_ratio": first_ratio}
            epochs = epoch + 1
        return {**_means(sums, steps), "epochs": epochs, "first_ratio": first_ratio}

    def state(self) -> dict[str, Any]:
        """What a run goes on from, beside the weights; all processes must ask for it."""
        return {
            "optimizer": self.stepper.optimizer_state(),
            "coefficient": self.coefficient.value,
            "scale": list(self.scale),
            "done": self.done,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Be where a run was when it gave its `state`."""
        self.stepper.load_optimizer(state["optimizer"])
        self.coefficient.value = state["coefficient"]
        mean, deviation = state["scale"]
        self.scale = mean, deviation
        self.done = state["done"]

    def _scored_responses(self, groups: Sequence[int], update: int) -> list[ScoredResponse]:
        """The responses of all processes to the prompts of these numbers, judged."""
        with self.whole():
            return self.score(self.generate(groups, update))

    def _groups(self, update: int) -> list[int]:
        """The numbers of the prompts of an update, in an order of its own for each pass."""
        count, samples = self.settings.prompts, self.settings.samples
        found: list[int] = []
        for place in range(update * count, (update + 1) * count):
            turn, index = divmod(place, self.prompt_count)
            found += [self._order(turn)[index]] * samples
        return found

    def _order(self, turn: int) -> list[int]:
        order = list(range(self.prompt_count))
        random.Random(f"prompts {self.settings.seed} {turn}").shuffle(order)
        return order

    def _minibatches(self, count: int, epoch: int) -> list[list[int]]:
        order = list(range(count))
        random.Random(f"rows {self.settings.seed} {self.done} {epoch}").shuffle(order)
        size = self.settings.minibatch
        return [order[start : start + size] for start in range(0, count, size)]

    def _text(self, response: Response) -> str:
        tokens = response.tokens[:-1] if response.ended else response.tokens
        prompt, said = self.prompts[response.group], self.decoder.decode(tokens)
        if prompt.messages:
            return Dialogue.answered(prompt.messages, prompt.text, said)
        return prompt.text + said

    def _reference_and_values(
        self, responses: Sequence[Response]
    ) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
        """Log-probabilities of the reference and values of each response, without padding."""
        settings = self.settings
        width = settings.sampling.response_length if settings.slot == "after" else None
        batch = response_batch(responses, width=width, slot=settings.slot).to(
            self.accelerator.device
        )
        with self.accelerator.autocast():
            reference_BR = self.reference.logprobs(
                batch, temperature=settings.sampling.temperature
            )  # (B, R)
            values_BR = self.writer.values(batch)  # (B, R)
        reference = _rows(reference_BR, batch.mask_BR)
        empty: list[tuple[float, ...]] = [()] * len(responses)
        return reference, empty if values_BR is None else _rows(values_BR, batch.value_mask_BR)

    def _gather(self, found: list[ScoredResponse]) -> list[ScoredResponse]:
        """What all processes found, in the order of the rows."""
        world = self.accelerator.num_processes
        if world == 1:
            return found
        from accelerate.utils import gather_object

        parts = gather_object([found])
        return [parts[row % world][row // world] for row in range(sum(map(len, parts)))]

    def _warmup_factor(self) -> float:
        return min(1.0, (self.done + 1) / max(self.settings.warmup, 1))


def _rows(values_BR: Tensor, mask_BR: Tensor) -> list[tuple[float, ...]]:
    pairs = zip(values_BR.float().cpu(), mask_BR.cpu(), strict=True)
    return [tuple(row_R[real_R].tolist()) for row_R, real_R in pairs]


def _means(sums: Counter[str], steps: int) -> dict[str, float]:
    return {name: value / max(steps, 1) for name, value in sums.items()}
