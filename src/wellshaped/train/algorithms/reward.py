"""Reward models: the preferred one of two answers is to have the higher reward.

Legend: P pairs, N texts. Losses are sums over pairs, with what to divide them by, so that the parts
of a step add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wellshaped.records.phrase import UserError
from wellshaped.train.events import EventSink
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.options import check_settings, option
from wellshaped.train.supervised_algorithm import PreparedRun, SupervisedAlgorithm
from wellshaped.train.training_task import StepResult, TrainingTask, bucketed

if TYPE_CHECKING:
    from torch import Tensor, nn

    from wellshaped.train.data.comparisons import Comparisons
    from wellshaped.train.data.rows import Data
    from wellshaped.train.distributed.processes import Accelerator
    from wellshaped.train.reward.comparison_batches import ComparisonBatch
    from wellshaped.train.reward.model import RewardModel


@dataclass(frozen=True)
class PreferenceLoss:
    """What a pair costs.

    `margin` is the lead that each chosen answer is to have; `smoothing` the share of labels taken
    as swapped; `centring` the price of rewards whose sum is not 0.
    """

    loss: Literal["bradley_terry", "margin_ranking"] = option("bradley_terry")
    margin: float = option(0.0, "lead that every chosen answer is to have")
    smoothing: float = option(0.0, "share of labels taken as swapped")
    centring: float = option(0.0, "price of rewards whose sum is not 0")

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, kw_only=True)
class Adaptation:
    """What is trained: adapters of the rank `lora`, 0 for none; with `freeze` the head alone.

    `checkpointing` computes states again in the backward pass instead of keeping them.
    """

    lora: int = option(0, "adapters of this rank (8)", least=0, const=8)
    freeze: bool = option(False, "train the head alone")
    checkpointing: bool = option(False, "less memory: compute states again for the gradients")

    def __post_init__(self) -> None:
        check_settings(self)
        if self.lora and self.freeze:
            raise UserError("WS988", "lora_or_freeze")


@dataclass(frozen=True, kw_only=True)
class Reward(SupervisedAlgorithm):
    """A reward model of preferences; `fast` takes the short cuts that are exact for the model."""

    name = "reward"
    help = "a reward model, from pairs of a preferred answer and another"
    description = (
        "Trains a reward model on rows with `chosen`, `rejected` and, if wanted, `prompt`, `margin`"
        " and `weight`. Without --model a small one is made, without --data reviews are generated."
    )
    out = "reward-model"
    needs_data = False

    pooling: Literal["last", "mean", "attention"] = option("last")
    fast: bool = option(True, "without the short cuts", negated="padded")
    preference: PreferenceLoss = field(default_factory=PreferenceLoss)
    adaptation: Adaptation = field(default_factory=Adaptation)
    loop: LoopSettings = field(
        default_factory=lambda: LoopSettings(
            epochs=1, warmup=0.03, watch="accuracy", better="higher"
        )
    )

    @classmethod
    def defaults(cls, given: Mapping[str, Any], *, is_new: bool) -> dict[str, Any]:
        """The learning rate of a new model, of adapters or a head, or of a model trained before."""
        if is_new:  # small models are slower with several threads
            return {"learning_rate": 2e-3, "threads": 1}
        return {"learning_rate": 1e-4 if given.get("lora") or given.get("freeze") else 1e-5}

    def prepare(
        self,
        model: str | Path | None,
        data: Data | None,
        held_out: Data | None,
        *,
        skip: bool,
        tell: EventSink,
    ) -> PreparedRun:
        """A reward model, and comparisons to learn from and to evaluate on."""
        from wellshaped.train.data.preference_data import split_comparisons
        from wellshaped.train.models.progress_bars import silence_progress_bars
        from wellshaped.train.randomness import seed_all
        from wellshaped.train.reward import start

        seed_all(self.loop.seed)
        if data is None:
            data, held_out = start.default_data(self.loop.seed)
        tokenizer = start.load_tokenizer(model, data)
        core = start.load_model(model, tokenizer, pooling=self.pooling, fast=self.fast)
        trained, evaluated = split_comparisons(
            data,
            held_out,
            start.encoder_of(core, tokenizer, length=self.length),
            share=self.hold_out,
            seed=self.loop.seed,
            skip=skip,
            tell=tell,
        )
        adapt(core, self.adaptation)

        def task(accelerator: Accelerator, tell: EventSink) -> TrainingTask:
            for refused in core.settle(max(trained.longest() + evaluated.longest())).refused:
                tell(refused)
            return reward_task(core, trained, evaluated, self, accelerator=accelerator)

        def save(model: RewardModel, draft: Path) -> None:
            with silence_progress_bars():
                model.save_pretrained(draft, tokenizer=tokenizer)

        return PreparedRun(tokenizer, trained.digest(), task, lambda trained: trained.eval(), save)


def adapt(model: RewardModel, adaptation: Adaptation) -> None:
    """Prepare a model for training in place; dropout is off, for both sides of a pair alike."""
    from wellshaped.train.models.adapters import add_lora, enable_gradient_checkpointing
    from wellshaped.train.models.dropout import without_dropout

    without_dropout(model)
    if adaptation.lora:
        model.backbone = add_lora(model.backbone, adaptation.lora)
    if adaptation.freeze:
        model.backbone.requires_grad_(False)
    if adaptation.checkpointing:
        enable_gradient_checkpointing(model.transformer)


def reward_task(
    model: RewardModel,
    trained: Comparisons,
    evaluated: Comparisons,
    settings: Reward,
    *,
    accelerator: Accelerator,
) -> TrainingTask:
    """Batches of similar length, the loss of their pairs, and how well it tells others."""
    from wellshaped.train.reward.comparison_batches import comparison_batch
    from wellshaped.train.reward.evaluation import evaluate

    size, preference = settings.batch, settings.preference
    measured = partial(evaluate, evaluated, preference, size=size, accelerator=accelerator)
    batches = bucketed(
        trained.longest(), partial(comparison_batch, trained), size=size, seed=settings.loop.seed
    )
    return TrainingTask(
        model, batches, partial(reward_step, model, preference), measured if evaluated else None
    )


def reward_step(
    core: RewardModel, preference: PreferenceLoss, model: nn.Module, batch: ComparisonBatch
) -> StepResult:
    """The loss of a batch as a sum over its pairs, through the model or what wraps it."""
    from wellshaped.train.reward.comparison_batches import pair_rewards
    from wellshaped.train.reward.layout import shared_tokens
    from wellshaped.train.reward.measures import hits

    chosen_P, rejected_P = pair_rewards(model(batch.groups), batch.sizes)
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


@dataclass(frozen=True, slots=True)
class LossSum:
    """The loss of some pairs, summed, and the sum of their weights.

    The loss of a batch is the quotient of both sums over all its parts and processes.
    """

    total: Tensor
    weight: Tensor

    @property
    def mean(self) -> Tensor:
        """The loss, if these are all pairs there are."""
        return self.total / self.weight


def preference_loss(
    chosen_P: Tensor,
    rejected_P: Tensor,
    preference: PreferenceLoss | None = None,
    *,
    margin_P: Tensor | None = None,
    weight_P: Tensor | None = None,
) -> LossSum:
    """The loss of pairs, in float32; `margin_P` adds to the margin, a pair counts `weight_P`."""
    import torch
    import torch.nn.functional as F

    preference = preference or PreferenceLoss()
    _require_one_for_each_pair(
        chosen=chosen_P, rejected=rejected_P, margin=margin_P, weight=weight_P
    )
    chosen_P, rejected_P = chosen_P.float(), rejected_P.float()
    weight_P = torch.ones_like(chosen_P) if weight_P is None else weight_P.to(chosen_P)
    margins_P = torch.full_like(chosen_P, preference.margin)
    if margin_P is not None:
        margins_P = margins_P + margin_P.to(chosen_P)
    with torch.autocast(chosen_P.device.type, enabled=False):
        loss = {"bradley_terry": _bradley_terry, "margin_ranking": _margin_ranking}
        losses_P = loss[preference.loss](chosen_P, rejected_P, margins_P, preference.smoothing)
        if preference.centring:
            sums_P = chosen_P + rejected_P
            centred_P = F.mse_loss(sums_P, torch.zeros_like(sums_P), reduction="none")
            losses_P = losses_P + preference.centring * centred_P
        return LossSum((losses_P * weight_P).sum(), weight_P.sum())


def _bradley_terry(
    chosen_P: Tensor, rejected_P: Tensor, margins_P: Tensor, smoothing: float
) -> Tensor:
    """-log sigmoid of the lead: the cross entropy of a logit, which no lead makes infinite."""
    import torch.nn.functional as F

    lead_P = chosen_P - rejected_P - margins_P
    certain_P = lead_P.new_full(lead_P.shape, 1 - smoothing)
    return F.binary_cross_entropy_with_logits(lead_P, certain_P, reduction="none")  # (P,)


def _margin_ranking(
    chosen_P: Tensor, rejected_P: Tensor, margins_P: Tensor, smoothing: float
) -> Tensor:
    """What is missing from the lead; a share of the labels counts the other way round."""
    import torch.nn.functional as F

    first_P = chosen_P.new_ones(chosen_P.shape)
    kept_P = F.margin_ranking_loss(chosen_P - margins_P, rejected_P, first_P, reduction="none")
    if not smoothing:
        return kept_P
    swapped_P = F.margin_ranking_loss(chosen_P + margins_P, rejected_P, -first_P, reduction="none")
    return (1 - smoothing) * kept_P + smoothing * swapped_P


def _require_one_for_each_pair(**given: Tensor | None) -> None:
    """Refuse what is not one number for each pair: a column against a vector is all pairs."""
    shapes = {name: tuple(tensor.shape) for name, tensor in given.items() if tensor is not None}
    wanted = shapes["chosen"][:1] or (1,)
    for name, shape in shapes.items():
        if shape != wanted:
            facts = {"argument": name, "task": "preference", "got": shape, "wanted": wanted}
            raise UserError("WS924", "task_shape", **facts)
