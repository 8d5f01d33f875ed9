"""AdamW in two groups: weights of layers decay, biases, scales and embeddings do not."""

from __future__ import annotations

import torch
from torch import nn

from wellshaped.records.phrase import UserError
from wellshaped.train.loop_settings import LoopSettings

_NO_DECAY = (nn.Embedding, nn.EmbeddingBag)


def adamw(model: nn.Module, settings: LoopSettings) -> torch.optim.AdamW:
    """The optimizer of all parameters that are trained; raises where there are none."""
    decayed, others = decay_groups(model)
    if not decayed and not others:
        raise UserError("WS988", "nothing_trained")
    groups = [
        {"params": decayed, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]],
        lr=settings.learning_rate,
        betas=settings.betas,
        eps=settings.epsilon,
        # One kernel for each weight instead of a dozen; torch takes it by itself on CUDA only.
        fused=True,
    )


def decay_groups(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Parameters that decay, and those that do not; each one once, in the model's order."""
    kept = {
        id(parameter)
        for module in model.modules()
        if isinstance(module, _NO_DECAY)
        for parameter in module.parameters(recurse=False)
    }
    trained = [each for each in model.parameters() if each.requires_grad]
    is_decayed = [each.ndim >= 2 and id(each) not in kept for each in trained]
    pairs = list(zip(trained, is_decayed, strict=True))
    return [each for each, yes in pairs if yes], [each for each, yes in pairs if not yes]
