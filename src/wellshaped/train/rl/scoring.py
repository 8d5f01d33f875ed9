"""Rewards of texts: any callable from texts to numbers, and what is told when it fails."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from wellshaped.records.phrase import UserError

# Whole texts in (prompt and response, as one would read them), one number for each out.
Reward = Callable[[list[str]], Any]
# Texts that a reward model reads at once.
BATCH: Final = 32


class Dialogue(str):
    """The text of a conversation, which knows its messages, the response as the last of them."""

    messages: list[dict[str, Any]]

    @classmethod
    def answered(cls, asked: Sequence[dict[str, Any]], prompt: str, response: str) -> Dialogue:
        """Templates put blanks around what is said: those of a response are not said twice."""
        made = cls(prompt + response)
        made.messages = [*asked, {"role": "assistant", "content": response.strip()}]
        return made


_SHOWN = 200


def scores_of(reward: Reward, texts: Sequence[str]) -> Tensor:
    """One finite number for each text, or an error that shows the text it failed on."""
    if not texts:
        return torch.zeros(0)  # (B,)
    try:
        found = _numbers(reward(list(texts)))
    except UserError:
        raise
    except Exception as error:  # a reward is the user's own function, and raises what it likes
        raise _failed(reward, texts, error) from error
    if len(found) != len(texts):
        raise UserError("WS996", "reward_count", texts=len(texts), scores=len(found))
    for text, score in zip(texts, found, strict=True):
        if not math.isfinite(score):
            raise UserError("WS996", "reward_not_finite", score=str(score), text=_shown(text))
    return torch.tensor(found)  # (B,)


def named_reward(name: str) -> Reward:
    """The function `file.py:name` or `module:name`."""
    place, _, attribute = name.rpartition(":")
    try:
        module = _file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        found = getattr(module, attribute)
    except (ImportError, AttributeError, OSError, SyntaxError, ValueError) as error:
        raise UserError("WS995", "no_reward", name=name, error=_error(error)) from error
    if not callable(found):
        raise UserError("WS995", "reward_not_callable", name=name)
    reward: Reward = found
    return reward


def _file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


def _numbers(found: Any) -> list[float]:
    """Tensors and arrays of one column count as vectors."""
    listed = found.tolist() if hasattr(found, "tolist") else list(found)
    return [float(one[0] if isinstance(one, list) and len(one) == 1 else one) for one in listed]


def _failed(reward: Reward, texts: Sequence[str], error: Exception) -> UserError:
    """The failure with its text: the first that fails alone too, if there is one."""
    for text in texts:
        try:
            _numbers(reward([text]))
        except Exception as own:  # as above, for one text alone
            return UserError("WS995", "reward_failed", error=_error(own), text=_shown(text))
    return UserError("WS995", "reward_failed_together", error=_error(error), texts=len(texts))


def _error(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ...")
