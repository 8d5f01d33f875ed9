"""What of a reward model is trained, and how: all of it, its head, or adapters; in less memory."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.phrase import Told
from wellshaped.train.models.adapters import add_lora, enable_gradient_checkpointing
from wellshaped.train.models.dropout import without_dropout
from wellshaped.train.reward.model import RewardModel


@dataclass(frozen=True, kw_only=True, slots=True)
class Adaptation:
    """`lora` is the rank of the adapters, 0 for none; `freeze` trains the head alone.

    `checkpointing` computes states again in the backward pass instead of keeping them.
    """

    lora: int = 0
    freeze: bool = False
    checkpointing: bool = False

    def __post_init__(self) -> None:
        if self.lora < 0:
            raise Told("WS988", "setting_range", name="lora", least="0", got=self.lora)
        if self.lora and self.freeze:
            raise Told("WS988", "lora_or_freeze")


def adapt(model: RewardModel, adaptation: Adaptation) -> None:
    """Prepare a model for training in place; dropout is off, for both sides of a pair alike."""
    without_dropout(model)
    if adaptation.lora:
        model.backbone = add_lora(model.backbone, adaptation.lora)
    if adaptation.freeze:
        model.backbone.requires_grad_(False)
    if adaptation.checkpointing:
        enable_gradient_checkpointing(model.transformer)
