"""What policy learning starts from: a causal model, its tokenizer, an adapter, a reward."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from wellshaped.records.phrase import Told
from wellshaped.train.models.pretrained import loading
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.rl.scoring import BATCH, Dialogue, Reward, named_reward


def load_policy(model: str | Path | None, tokenizer: Any) -> Any:
    """A causal model in float32, whatever its weights were written in; a small one for None."""
    from transformers import AutoModelForCausalLM

    if model is None:
        return AutoModelForCausalLM.from_config(tiny_config(tokenizer))
    with loading(model, "no_model") as options:
        made = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, **options)
    size = made.get_input_embeddings().num_embeddings
    if len(tokenizer) > size:
        raise Told("WS993", "more_tokens", tokens=len(tokenizer), size=size)
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
