"""A policy as files: a model that `transformers` loads, its tokenizer, its values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from torch import Tensor

from wellshaped.train.artifacts.checkpoint import write_weights
from wellshaped.train.models.progress_bars import silence_progress_bars

VALUES: Final = "value.safetensors"


def save_policy(
    model: Any, tokenizer: Any, draft: Path, *, values: Mapping[str, Tensor] | None = None
) -> None:
    """Write the model, its tokenizer and its values.

    The value function goes to a file of its own: who goes on training wants it, others do not.
    """
    with silence_progress_bars():
        model.save_pretrained(draft)
    tokenizer.save_pretrained(draft)
    if values:
        write_weights(values, draft / VALUES)
