"""An evaluation of a reward model on comparisons that it is not trained on.

Legend: N texts, P pairs.
"""

from __future__ import annotations

import torch
from accelerate.utils import gather_object
from torch import nn

from wellshaped.train.algorithms.reward import PreferenceLoss, preference_loss
from wellshaped.train.data.comparisons import Comparisons
from wellshaped.train.distributed.processes import Accelerator
from wellshaped.train.reward.comparison_batches import comparison_batch, pair_rewards
from wellshaped.train.reward.measures import measures


def evaluate(
    comparisons: Comparisons,
    preference: PreferenceLoss,
    model: nn.Module,
    *,
    size: int,
    accelerator: Accelerator,
) -> dict[str, float]:
    """Loss and measures, the same in every process."""
    rewards = rewards_of(model, comparisons, size=size, accelerator=accelerator)
    rewards_N = torch.tensor([each for texts in rewards for each in texts])  # (N,)
    sizes = [len(texts) for texts in rewards]
    whole = comparison_batch(comparisons, range(len(comparisons)))
    lengths_N = torch.tensor([float(len(text)) for texts in whole.groups for text in texts])
    chosen_P, rejected_P = pair_rewards(rewards_N, sizes)
    longer_P = torch.sub(*pair_rewards(lengths_N, sizes))  # (P,)
    loss = preference_loss(
        chosen_P, rejected_P, preference, margin_P=whole.margins, weight_P=whole.weights
    )
    return {
        "loss": float(loss.mean),
        **measures(chosen_P - rejected_P, longer_P),
        "reward_mean": float(rewards_N.mean()),
        "reward_std": float(rewards_N.std(correction=0)),
    }


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
        batch = comparison_batch(comparisons, places)
        rewards = model(batch.groups).split(batch.sizes)
        if first + rank < len(plan):
            found += zip(places, (each.tolist() for each in rewards), strict=True)
    everything = dict(gather_object(found))
    return [everything[place] for place in range(len(comparisons))]
