"""What policy learning starts from: a causal model, its tokenizer, an adapter, a reward."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.rows import Data, rows_of
from wellshaped.train.models.pretrained import loading
from wellshaped.train.models.tiny import texts_in, tiny_config, tiny_tokenizer
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.reward.start import load_tokenizer
from wellshaped.train.rl.prompts import Coder
from wellshaped.train.rl.scoring import BATCH, Dialogue, Reward, named_reward

_ROWS_FOR_WORDS: Final = 2000
_WORDS: Final = 512


@dataclass(frozen=True)
class Start:
    """A policy to train, its tokenizer, and the coder of its rows."""

    policy: Any
    tokenizer: Any
    coder: Coder


def load_start(model: str | Path | None, data: Data, *, length: int) -> Start:
    """The model of a name, or a small one made here with the words of the data."""
    tokenizer = _tiny_tokenizer(data) if model is None else load_tokenizer(model, ())
    policy = load_policy(model, tokenizer)
    return Start(policy, tokenizer, coder_of(policy, tokenizer, length=length))


def coder_of(policy: Any, tokenizer: Any, *, length: int) -> Coder:
    """A coder of rows of at most so many tokens, or as many as the policy can read."""
    most = min(length, positions_of(policy) or length)
    vocabulary = policy.get_input_embeddings().num_embeddings
    return Coder(tokenizer, length=most, vocabulary=vocabulary)


def load_policy(model: str | Path | None, tokenizer: Any) -> Any:
    """A causal model in float32, whatever its weights were written in; a small one for None."""
    from transformers import AutoModelForCausalLM

    if model is None:
        return AutoModelForCausalLM.from_config(tiny_config(tokenizer))
    with loading(model, "no_model") as options:
        made = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, **options)
    size = made.get_input_embeddings().num_embeddings
    if len(tokenizer) > size:
        raise UserError("WS993", "more_tokens", tokens=len(tokenizer), size=size)
    return made


def positions_of(model: Any) -> int | None:
    """How many tokens the model can read, if it says so."""
    found: int | None = getattr(model.config, "max_position_embeddings", None)
    return found


def load_reward(given: str | Path | Reward) -> tuple[Reward, str]:
    """A reward and its name: a folder with a reward model, a function, or `file.py:function`."""
    if callable(given):
        return given, getattr(given, "__qualname__", type(given).__name__)
    if Path(given).is_dir():
        return model_reward(Scorer.load(given, batch=BATCH)), str(given)
    return named_reward(str(given)), str(given)


def model_reward(scorer: Scorer) -> Reward:
    """The rewards of a model: it reads conversations by its own template, as it learned them.

    A template closes what is said; the prompt and the response one after the other are not closed.
    """
    templated = bool(getattr(scorer.encoder.tokenizer, "chat_template", None))

    def reward(texts: list[str]) -> list[float]:
        return scorer.score(
            [one.messages if templated and isinstance(one, Dialogue) else str(one) for one in texts]
        )

    return reward


def _tiny_tokenizer(data: Data) -> Any:
    rows = islice(rows_of(data, bad=BadRows()), _ROWS_FOR_WORDS)
    return tiny_tokenizer((text for row in rows for text in texts_in(row.fields)), size=_WORDS)
