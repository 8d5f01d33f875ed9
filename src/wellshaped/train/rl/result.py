"""What a run leaves behind: a model that `transformers` loads, its tokenizer, its values."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from torch import Tensor

from wellshaped.records.training import Ended
from wellshaped.train.checkpoint import flush, write_weights
from wellshaped.train.quiet import quiet

VALUES: Final = "value.safetensors"


@dataclass(frozen=True, slots=True)
class Trained:
    """The result: a policy with its tokenizer, where it was saved, and how it got there."""

    model: Any
    tokenizer: Any
    folder: Path
    ended: Ended


def publish(
    model: Any, tokenizer: Any, folder: Path, *, values: Mapping[str, Tensor] | None = None
) -> None:
    """Write everything beside its place, and then put each file where it belongs.

    The value function goes to a file of its own: who goes on training wants it, others do not.
    """
    draft = folder / ".draft-result"
    shutil.rmtree(draft, ignore_errors=True)
    with quiet():
        model.save_pretrained(draft)
    tokenizer.save_pretrained(draft)
    if values:
        write_weights(values, draft / VALUES)
    # The configuration comes last: a folder that has one is whole.
    files = sorted(path for path in draft.rglob("*") if path.is_file())
    for path in sorted(files, key=lambda path: path.name in _LAST):
        flush(path)
        place = folder / path.relative_to(draft)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, place)
    shutil.rmtree(draft)
    flush(folder)


def is_there(folder: Path) -> bool:
    """Whether a run came to its end in this folder."""
    return any((folder / name).exists() for name in _LAST)


_LAST: Final = ("config.json", "adapter_config.json")
