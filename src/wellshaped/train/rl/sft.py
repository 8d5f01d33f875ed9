"""Learning from demonstrations: the tokens of answers are learned, those of prompts only read.

B demonstrations, R tokens of the longest answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from wellshaped.batch import BucketSampler
from wellshaped.train.distributed.processes import Accelerator, total
from wellshaped.train.rl.masked import masked_sum
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Batch, Response, batch_of
from wellshaped.train.training_task import Batches, StepResult, TrainingTask


def sft_task(
    actor: Actor,
    learned: Sequence[Response],
    held_out: Sequence[Response],
    *,
    size: int,
    seed: int,
    accelerator: Accelerator,
) -> TrainingTask:
    """What the supervised loop needs: batches of similar length, and the loss of an answer."""
    lengths = [len(one.prompt) + len(one.tokens) for one in learned]
    sampler = BucketSampler(lengths, batch_size=size, seed=seed, rank=0, world_size=1)

    def plan(epoch: int) -> list[list[int]]:
        sampler.set_epoch(epoch)
        return list(sampler)

    def load(places: Sequence[int]) -> Batch:
        return batch_of([learned[place] for place in places])

    def evaluate(actor: nn.Module) -> dict[str, float]:
        return _evaluate(actor, held_out, size=size, accelerator=accelerator)

    return TrainingTask(actor, Batches(plan, load), sft_step, evaluate if held_out else None)


def sft_step(actor: nn.Module, batch: Batch) -> StepResult:
    """Minus the log-probability of all tokens of the answers."""
    device = next(actor.parameters()).device
    batch = batch.to(device)
    output = actor(batch)
    loss = -masked_sum(output.logprobs_BR, batch.mask_BR)  # ()
    count = int(batch.mask_BR.sum())
    tokens = int(batch.first_B.sum()) + count
    # A prompt of several answers is computed once.
    return StepResult(loss, float(count), tokens=tokens, computed=max(tokens, output.computed))


def _evaluate(
    actor: nn.Module, held_out: Sequence[Response], *, size: int, accelerator: Any
) -> dict[str, float]:
    """The mean loss of a token, over what was not learned from."""
    world, rank = accelerator.num_processes, accelerator.process_index
    sums = {"loss": 0.0, "count": 0.0}
    places = range(0, len(held_out), size * world)
    for start in places:
        # Wrapped models wait for one another: a process without rows goes through one in vain.
        mine = held_out[start : start + size * world][rank::world]
        made = sft_step(actor, batch_of(mine or held_out[:1]))
        if mine:
            sums["loss"] += made.loss.item()
            sums["count"] += made.count
    found = total(accelerator, sums)
    loss = found["loss"] / max(found["count"], 1.0)
    return {"loss": loss, "perplexity": float(torch.tensor(loss).exp())}
