"""The result of a run: a model with its tokenizer, where it was saved, and how it got there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellshaped.records.training.progress import Ended


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """The best weights that a run came to."""

    model: Any
    tokenizer: Any
    folder: Path
    ended: Ended
