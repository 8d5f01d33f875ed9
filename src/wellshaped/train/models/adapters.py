"""Less to train and less memory, for any model of transformers: adapters, states computed again."""

from __future__ import annotations

from typing import Any

from wellshaped.records.phrase import UserError


def add_lora(model: Any, rank: int) -> Any:
    """The model with adapters of this rank on all its layers, which alone are trained."""
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise UserError("WS988", "lora_needs_peft") from error
    from transformers.pytorch_utils import Conv1D

    # GPT-2 keeps its weights the other way round.
    turned = any(isinstance(module, Conv1D) for module in model.modules())
    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", fan_in_fan_out=turned
    )
    return get_peft_model(model, config)


def enable_gradient_checkpointing(model: Any) -> None:
    """Have states computed again in the backward pass instead of kept."""
    if not model.supports_gradient_checkpointing:
        raise UserError("WS988", "no_checkpointing", model=type(model).__name__)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
