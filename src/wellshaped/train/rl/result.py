"""What a run leaves behind: a model that `transformers` loads, its tokenizer, its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from torch import Tensor

from wellshaped.records.training import Ended
from wellshaped.train.artifacts.checkpoint import write_weights
from wellshaped.train.artifacts.run_folder import publish
from wellshaped.train.models.progress_bars import silence_progress_bars

VALUES: Final = "value.safetensors"


@dataclass(frozen=True, slots=True)
class Trained:
    """The result: a policy with its tokenizer, where it was saved, and how it got there."""

    model: Any
    tokenizer: Any
    folder: Path
    ended: Ended


def save(
    model: Any, tokenizer: Any, folder: Path, *, values: Mapping[str, Tensor] | None = None
) -> None:
    """Put the model, its tokenizer and its values into the folder of their run.

    The value function goes to a file of its own: who goes on training wants it, others do not.
    """

    def write(draft: Path) -> None:
        with silence_progress_bars():
            model.save_pretrained(draft)
        tokenizer.save_pretrained(draft)
        if values:
            write_weights(values, draft / VALUES)

    publish(folder, write)
