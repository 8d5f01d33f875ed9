"""SFT: the tokens of answers are learned, those of prompts only read.

B demonstrations, R tokens of the longest answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellshaped.records.phrase import UserError
from wellshaped.train.events import EventSink
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.options import option
from wellshaped.train.rl.masked import masked_sum
from wellshaped.train.supervised_algorithm import PreparedRun, SupervisedAlgorithm
from wellshaped.train.training_task import StepResult, TrainingTask, bucketed

if TYPE_CHECKING:
    from torch import nn

    from wellshaped.train.data.rows import Data
    from wellshaped.train.distributed.processes import Accelerator
    from wellshaped.train.rl.policy import Actor
    from wellshaped.train.rl.responses import Response, ResponseBatch


@dataclass(frozen=True, kw_only=True)
class Sft(SupervisedAlgorithm):
    """Supervised fine-tuning; `length` counts prompt and answer, `lora` is an adapter's rank."""

    name = "sft"
    help = "a causal model, from prompts and the answers they should have"
    description = (
        "Trains a causal model on rows with `prompt` and `response`, or `messages`, or a whole"
        " `text`. Tokens of prompts are read and not learned. Without --model a small one is made."
    )
    out = "sft-model"

    length: int = option(512, "most tokens of a row", least=2)
    batch: int = 16
    hold_out: float = 0.05
    lora: int = option(0, "rank of an adapter (8)", least=0, const=8)
    loop: LoopSettings = field(default_factory=lambda: LoopSettings(epochs=1, warmup=0.03))

    @classmethod
    def defaults(cls, given: Mapping[str, Any], *, is_new: bool) -> dict[str, Any]:
        """The learning rate of a new model, of an adapter, or of a model trained before."""
        return {"learning_rate": 3e-3 if is_new else 2e-4 if given.get("lora") else 2e-5}

    def prepare(
        self,
        model: str | Path | None,
        data: Data | None,
        held_out: Data | None,
        *,
        skip: bool,
        tell: EventSink,
    ) -> PreparedRun:
        """A policy, and demonstrations to learn from and to evaluate on."""
        from wellshaped.train.models.adapters import add_lora
        from wellshaped.train.randomness import seed_all
        from wellshaped.train.rl.policy import Actor
        from wellshaped.train.rl.prompts import demonstrations_digest, split_demonstrations
        from wellshaped.train.rl.result import save_policy
        from wellshaped.train.rl.start import load_start

        if data is None:
            raise UserError("WS984", "no_rows_left", rows=0)
        rows: Any = data if isinstance(data, str | Path) else tuple(data)  # read twice
        seed_all(self.loop.seed)
        start = load_start(model, rows, length=self.length)
        learned, others = split_demonstrations(
            rows,
            held_out,
            start.coder,
            share=self.hold_out,
            seed=self.loop.seed,
            skip=skip,
            tell=tell,
        )
        actor = Actor(add_lora(start.policy, self.lora) if self.lora else start.policy)

        def task(accelerator: Accelerator, tell: EventSink) -> TrainingTask:
            # Packing is tried while the weights are whole, before they may be sharded.
            actor.packs(max(len(one.prompt) + len(one.tokens) for one in (*learned, *others)))
            return sft_task(
                actor,
                learned,
                others,
                size=self.batch,
                seed=self.loop.seed,
                accelerator=accelerator,
            )

        def result(trained: Actor) -> Any:
            trained.attend_as_before()
            return trained.model

        def save(model: Any, draft: Path) -> None:
            save_policy(model, start.tokenizer, draft)

        return PreparedRun(start.tokenizer, demonstrations_digest(learned), task, result, save)


def sft_step(actor: nn.Module, batch: ResponseBatch) -> StepResult:
    """Minus the log-probability of all tokens of the answers."""
    batch = batch.to(next(actor.parameters()).device)
    output = actor(batch)
    loss = -masked_sum(output.logprobs_BR, batch.mask_BR)  # ()
    count = int(batch.mask_BR.sum())
    tokens = int(batch.first_B.sum()) + count
    # A prompt of several answers is computed once.
    return StepResult(loss, float(count), tokens=tokens, computed=max(tokens, output.computed))


def sft_task(
    actor: Actor,
    learned: Sequence[Response],
    held_out: Sequence[Response],
    *,
    size: int,
    seed: int,
    accelerator: Accelerator,
) -> TrainingTask:
    """Batches of similar length, the loss of their answers, and that of those held out."""
    from wellshaped.train.rl.responses import response_batch

    lengths = [len(one.prompt) + len(one.tokens) for one in learned]

    def load(places: Sequence[int]) -> ResponseBatch:
        return response_batch([learned[place] for place in places])

    def evaluate(actor: nn.Module) -> dict[str, float]:
        return sft_evaluation(actor, held_out, size=size, accelerator=accelerator)

    batches = bucketed(lengths, load, size=size, seed=seed)
    return TrainingTask(actor, batches, sft_step, evaluate if held_out else None)


def sft_evaluation(
    actor: nn.Module, held_out: Sequence[Response], *, size: int, accelerator: Accelerator
) -> dict[str, float]:
    """The mean loss of a token, over what was not learned from."""
    import torch

    from wellshaped.train.distributed.processes import sum_over_processes
    from wellshaped.train.rl.responses import response_batch

    world, rank = accelerator.num_processes, accelerator.process_index
    sums = {"loss": 0.0, "count": 0.0}
    for start in range(0, len(held_out), size * world):
        # Wrapped models wait for one another: a process without rows goes through one in vain.
        mine = held_out[start : start + size * world][rank::world]
        made = sft_step(actor, response_batch(mine or held_out[:1]))
        if mine:
            sums["loss"] += made.loss.item()
            sums["count"] += made.count
    found = sum_over_processes(accelerator, sums)
    loss = found["loss"] / max(found["count"], 1.0)
    return {"loss": loss, "perplexity": float(torch.tensor(loss).exp())}
