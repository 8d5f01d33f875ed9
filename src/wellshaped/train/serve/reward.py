"""A reward behind HTTP, and how training asks it: texts in, numbers out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.rl.scoring import BATCH, Dialogue, Reward, named_reward, scores_of
from wellshaped.train.serve.asking import OWNER, about, ask, base_of, require
from wellshaped.train.serve.fields import bad
from wellshaped.train.serve.web import Route, Routes
from wellshaped.train.telling import Tell


class RewardService:
    """The routes of a reward: a folder with a reward model, or `file.py:function`."""

    def __init__(self, model: str | Path, *, tell: Tell) -> None:
        self.name, self.tell = str(model), tell
        self._scorer = Scorer.load(model, batch=BATCH) if Path(model).is_dir() else None
        self._reward: Any = self._scorer.score if self._scorer else named_reward(self.name)
        tokenizer = self._scorer.encoder.tokenizer if self._scorer else None
        self._templated = bool(getattr(tokenizer, "chat_template", None))

    def routes(self) -> Routes:
        """What can be asked of it."""
        return {
            ("GET", "/v1/models"): Route(self.models),
            ("POST", "/v1/rewards"): Route(self.rewards, "json"),
        }

    def models(self, _: None, __: Mapping[str, str]) -> dict[str, Any]:
        """What is served, and that it is served by us."""
        about = {"id": self.name, "object": "model", "owned_by": OWNER, "serves": "reward"}
        return {"object": "list", "data": [about]}

    def rewards(self, body: dict[str, Any], _: Mapping[str, str]) -> dict[str, Any]:
        """One number for each text."""
        began = time.monotonic()
        texts = body.get("texts")
        if not isinstance(texts, list):
            raise bad("texts", texts)
        found = scores_of(self._reward, [self._read(one) for one in texts]).tolist()
        seconds = f"{time.monotonic() - began:.1f}"
        self.tell(Phrase("served_rewards", {"count": len(found), "seconds": seconds}))
        return {"rewards": found}

    def _read(self, given: Any) -> Any:
        """A text, messages, or messages with the text that they make in the policy's template."""
        if isinstance(given, str):
            return given
        text, messages = given, given
        if isinstance(given, dict):
            text, messages = given.get("text"), given.get("messages")
        if not (_are_messages(messages) and isinstance(text, str | list)):
            raise bad("texts", given)
        if self._scorer is not None:
            return messages if self._templated else text
        return _dialogue(messages, text)


def served_reward(url: str) -> tuple[Reward, str]:
    """The reward of a server of ours, and its name there."""
    base = base_of(url)
    name = require(base, about(base), "reward")

    def reward(texts: list[str]) -> list[float]:
        found = ask(f"{base}/rewards", {"texts": [_written(one) for one in texts]})
        try:
            return [float(one) for one in found["rewards"]]
        except (KeyError, TypeError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise UserError("WS998", "server_unreadable", url=base, error=reason) from error

    return reward, name


def is_url(given: str) -> bool:
    """Whether a reward is named by its address."""
    return given.startswith(("http://", "https://"))


def _written(text: str) -> Any:
    if isinstance(text, Dialogue):
        return {"text": str(text), "messages": text.messages}
    return text


def _are_messages(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and all(isinstance(one, dict) for one in given)


def _dialogue(messages: list[dict[str, Any]], text: str | list[Any]) -> Dialogue:
    """What a function gets: a text that has messages; of messages alone, a line for each."""
    lines = (f"{one.get('role')}: {one.get('content')}" for one in messages)
    made = Dialogue(text if isinstance(text, str) else "\n".join(lines))
    made.messages = messages
    return made
