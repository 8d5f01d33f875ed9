"""What a reward run starts from: a model and tokenizer of transformers, or small ones made here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import UserError
from wellshaped.train.data import reviews
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preference_data import preference_rows
from wellshaped.train.data.rows import Data
from wellshaped.train.models.pretrained import loading
from wellshaped.train.models.tiny import texts_in, tiny_config, tiny_tokenizer
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.storage import has_head

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
    from transformers import AutoTokenizer

    with loading(model, "no_tokenizer") as options:
        return AutoTokenizer.from_pretrained(model, **options)


def load_model(
    model: str | Path | None, tokenizer: Any, *, pooling: str, fast: bool
) -> RewardModel:
    """The reward model to train: in float32, whatever its weights were written in."""
    if model is None:
        from transformers import AutoModel

        backbone = AutoModel.from_config(tiny_config(tokenizer, positions=_POSITIONS))
        return RewardModel(backbone, pooling=pooling, fast=fast)
    with loading(model, "no_model") as options:
        made = RewardModel.from_pretrained(
            model, pooling=pooling, fast=fast, dtype=torch.float32, **options
        )
    size = made.transformer.get_input_embeddings().num_embeddings
    if len(tokenizer) > size:
        raise UserError("WS993", "more_tokens", tokens=len(tokenizer), size=size)
    return made


def load_scored(folder: str | Path) -> RewardModel:
    """A reward model that was trained, on the device there is, with the weights as written."""
    with loading(folder, "no_model") as options:
        if not has_head(folder, **options):
            raise UserError("WS993", "no_reward_head", model=str(folder))
        made = RewardModel.from_pretrained(folder, **options)
    return made.to(best_device())


def best_device() -> torch.device:
    """The accelerator there is, or the processor."""
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return found or torch.device("cpu")


def encoder_of(model: RewardModel, tokenizer: Any, *, length: int) -> Encoder:
    """An encoder of texts of at most so many tokens, or as many as the model can read."""
    size = model.transformer.get_input_embeddings().num_embeddings
    return Encoder(tokenizer, length=longest_of(model.config, length), vocabulary=size)


def longest_of(config: Any, asked: int) -> int:
    """The most tokens of a text: as many as were asked for, or as the model has positions."""
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    return min(asked, positions or asked)


def _strings(data: Data) -> Iterable[str]:
    """The texts of the first rows, for the words in them."""
    for row in islice(preference_rows(data, bad=BadRows()), _ROWS_FOR_WORDS):
        yield from texts_in(row.fields)
