"""What a reward run starts from: a model and tokenizer of transformers, or small ones made here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import Told
from wellshaped.train import reviews
from wellshaped.train.bad_rows import BadRows
from wellshaped.train.preference_data import Data, preference_rows
from wellshaped.train.quiet import quiet
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.storage import has_head
from wellshaped.train.tiny import tiny_config, tiny_tokenizer

_ROWS_FOR_WORDS: Final = 2000
_WORDS: Final = 2048
_POSITIONS: Final = 512
# The generated data of a run without any: enough to learn it, with some labels wrong.
_TRAINED, _HELD_OUT, _FLIPPED = 1600, 400, 0.03


def default_data(seed: int) -> tuple[Data, Data]:
    """Generated preferences to train on, and others to evaluate on."""
    return (
        reviews.preferences(_TRAINED, seed=2 * seed, flipped=_FLIPPED),
        reviews.preferences(_HELD_OUT, seed=2 * seed + 1),
    )


def load_tokenizer(model: str | Path | None, data: Data) -> Any:
    """The tokenizer of a model; without one, a small one made from the words of the data."""
    if model is None:
        return tiny_tokenizer(_strings(data), size=_WORDS)
    _refuse_missing(model)
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(model)
    except (ImportError, OSError, ValueError, KeyError) as error:
        raise Told("WS993", "no_tokenizer", model=str(model), error=_first_line(error)) from error


def load_model(
    model: str | Path | None, tokenizer: Any, *, pooling: str, fast: bool
) -> RewardModel:
    """The reward model to train: in float32, whatever its weights were written in."""
    if model is None:
        from transformers import AutoModel

        backbone = AutoModel.from_config(tiny_config(tokenizer, positions=_POSITIONS))
        return RewardModel(backbone, pooling=pooling, fast=fast)
    try:
        with quiet():
            made = RewardModel.from_pretrained(
                model, pooling=pooling, fast=fast, dtype=torch.float32
            )
    except (ImportError, OSError, ValueError, KeyError) as error:
        if isinstance(error, Told):
            raise
        raise Told("WS993", "no_model", model=str(model), error=_first_line(error)) from error
    size = made.transformer.get_input_embeddings().num_embeddings
    if len(tokenizer) > size:
        raise Told("WS993", "more_tokens", tokens=len(tokenizer), size=size)
    return made


def load_scored(folder: str | Path) -> RewardModel:
    """A reward model that was trained, on the device there is, with the weights as written."""
    _refuse_missing(folder)
    try:
        if not has_head(folder):
            raise Told("WS993", "no_reward_head", model=str(folder))
        with quiet():
            made = RewardModel.from_pretrained(folder)
    except (ImportError, OSError, ValueError, KeyError) as error:
        if isinstance(error, Told):
            raise
        raise Told("WS993", "no_model", model=str(folder), error=_first_line(error)) from error
    return made.to(_device())


def _refuse_missing(model: str | Path) -> None:
    """Raise for a folder that is not there; anything else may be a name on the hub."""
    named = str(model)
    is_path = isinstance(model, Path) or named.startswith((".", "/", "~")) or named.count("/") > 1
    if is_path and not Path(model).is_dir():
        raise Told("WS993", "no_model_folder", model=named)


def _device() -> torch.device:
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return found or torch.device("cpu")


def longest_of(config: Any, asked: int) -> int:
    """The most tokens of a text: as many as were asked for, or as the model has positions."""
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    return min(asked, positions or asked)


def _strings(data: Data) -> Iterable[str]:
    """The texts of the first rows, for the words in them."""
    for row in islice(preference_rows(data, bad=BadRows()), _ROWS_FOR_WORDS):
        yield from _in(row.fields)


def _in(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _in(each)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
