"""What the loop needs to train a reward model: batches of comparisons, their loss, an evaluation.

Legend: N texts, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
from accelerate.utils import gather_object
from torch import Tensor, nn

from wellshaped.batch.buckets import BucketSampler
from wellshaped.train.data.comparisons import Comparison, Comparisons
from wellshaped.train.distributed.processes import Accelerator
from wellshaped.train.reward.layout import shared_tokens
from wellshaped.train.reward.losses import Preference, paired, preference_loss
from wellshaped.train.reward.measures import hits, measures
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.settings import RewardSettings
from wellshaped.train.training_task import Batches, StepResult, TrainingTask


@dataclass(frozen=True, slots=True)
class Batch:
    """Some comparisons as tensors: the texts of each, and of each pair its margin and weight."""

    groups: list[list[Tensor]]
    margins: Tensor  # (P,)
    weights: Tensor  # (P,)

    @property
    def sizes(self) -> list[int]:
        """How many texts each group has."""
        return [len(texts) for texts in self.groups]


def batch_of(comparisons: Comparisons, places: Sequence[int]) -> Batch:
    """The comparisons at these places."""
    return batched([comparisons[place] for place in places])


def batched(chosen: Sequence[Comparison]) -> Batch:
    """These comparisons together."""
    groups = [[torch.tensor(text) for text in each.texts] for each in chosen]
    margins = [margin for each in chosen for margin in each.margins]
    weights = [each.weight for each in chosen for _ in each.margins]
    return Batch(groups, torch.tensor(margins), torch.tensor(weights))  # (P,), (P,)


def batches_of(comparisons: Comparisons, *, size: int, seed: int) -> Batches:
    """Batches of comparisons of similar length, in another order each epoch."""
    sampler = BucketSampler(comparisons.longest(), batch_size=size, seed=seed, rank=0, world_size=1)

    def plan(epoch: int) -> list[list[int]]:
        sampler.set_epoch(epoch)
        return list(sampler)

    return Batches(plan, partial(batch_of, comparisons))


def step(core: RewardModel, preference: Preference, model: nn.Module, batch: Batch) -> StepResult:
    """The loss of a batch as a sum over its pairs, through the model or what wraps it."""
    chosen_P, rejected_P = paired(model(batch.groups), batch.sizes)
    loss = preference_loss(
        chosen_P, rejected_P, preference, margin_P=batch.margins, weight_P=batch.weights
    )
    margins_P = (chosen_P - rejected_P).detach()
    weight_P = batch.weights.to(margins_P)
    sums = {"accuracy": hits(margins_P) @ weight_P, "margin": margins_P @ weight_P}
    lengths = [len(text) for texts in batch.groups for text in texts]
    tokens = sum(lengths)
    if not core.plan.packed:
        padded = len(lengths) * max(lengths)
        return StepResult(loss.total, float(loss.weight), sums, tokens, padded)
    shared = shared_tokens(batch.groups) if core.plan.shared_prefix else None
    computed = tokens - (shared or 0)
    return StepResult(loss.total, float(loss.weight), sums, tokens, computed, shared)


def rewards_of(
    model: nn.Module, comparisons: Comparisons, *, size: int, accelerator: Accelerator
) -> list[list[float]]:
    """The rewards of all texts of each comparison, computed by all processes together."""
    longest = comparisons.longest()
    order = sorted(range(len(comparisons)), key=longest.__getitem__, reverse=True)
    plan = [order[first : first + size] for first in range(0, len(order), size)]
    world, rank = accelerator.num_processes, accelerator.process_index
    found: list[tuple[int, list[float]]] = []
    for first in range(0, len(plan), world):
        # A process without a batch goes through one all the same: wrapped models wait for it.
        places = plan[min(first + rank, len(plan) - 1)]
        batch = batch_of(comparisons, places)
        rewards = model(batch.groups).split(batch.sizes)
        if first + rank < len(plan):
            found += zip(places, (each.tolist() for each in rewards), strict=True)
    everything = dict(gather_object(found))
    return [everything[place] for place in range(len(comparisons))]


def evaluate(
    comparisons: Comparisons,
    preference: Preference,
    *,
    size: int,
    accelerator: Accelerator,
    model: nn.Module,
) -> dict[str, float]:
    """Loss and measures on comparisons that are not trained on, the same in every process."""
    rewards = rewards_of(model, comparisons, size=size, accelerator=accelerator)
    rewards_N = torch.tensor([each for texts in rewards for each in texts])  # (N,)
    sizes = [len(texts) for texts in rewards]
    whole = batch_of(comparisons, range(len(comparisons)))
    lengths_N = torch.tensor([float(len(text)) for texts in whole.groups for text in texts])
    chosen_P, rejected_P = paired(rewards_N, sizes)
    longer_P = torch.sub(*paired(lengths_N, sizes))  # (P,)
    loss = preference_loss(
        chosen_P, rejected_P, preference, margin_P=whole.margins, weight_P=whole.weights
    )
    return {
        "loss": float(loss.mean),
        **measures(chosen_P - rejected_P, longer_P),
        "reward_mean": float(rewards_N.mean()),
        "reward_std": float(rewards_N.std(correction=0)),
    }


def training_task(
    model: RewardModel,
    trained: Comparisons,
    evaluated: Comparisons,
    settings: RewardSettings,
    *,
    accelerator: Accelerator,
) -> TrainingTask:
    """Everything the loop asks for."""
    size, preference = settings.batch, settings.preference

    def measured(wrapped: nn.Module) -> dict[str, float]:
        return evaluate(evaluated, preference, size=size, accelerator=accelerator, model=wrapped)

    return TrainingTask(
        model,
        batches_of(trained, size=size, seed=settings.loop.seed),
        partial(step, model, preference),
        measured if evaluated else None,
    )
