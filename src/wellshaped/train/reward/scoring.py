"""Rewards of texts and of rows of data, a window at a time, in the order they came in.

Legend: N texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.preferences import Content, RowFault, type_name
from wellshaped.train.data.rows import Row
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.start import encoder_of, load_scored, load_tokenizer

# What is read of a row of texts: the first of these that it has.
ANSWERS: Final = ("text", "messages", "response", "completion", "answer")
Text = tuple[Content | None, Content]


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row with its rewards by name: `reward`, or `chosen_reward` and `rejected_reward`."""

    row: Row
    rewards: Mapping[str, float | list[float] | None]
    fault: RowFault | None = None


class Scorer:
    """A reward model with its tokenizer: texts in, rewards out."""

    def __init__(
        self, model: RewardModel, tokenizer: Any, *, length: int = 1024, batch: int = 8
    ) -> None:
        self.model = model.eval()
        self.batch = batch
        self.encoder = encoder_of(model, tokenizer, length=length)

    @classmethod
    def load(cls, folder: str | Path, *, length: int = 1024, batch: int = 8) -> Scorer:
        """What `train_reward` saved, or any sequence classifier with one label."""
        return cls(load_scored(folder), load_tokenizer(folder, ()), length=length, batch=batch)

    def score(self, texts: Sequence[Content]) -> list[float]:
        """The reward of each text, conversation or list of token ids."""
        read = []
        for place, found in enumerate(self.encoder.whole([(None, each) for each in texts])):
            if isinstance(found, RowFault):
                kind = type_name(texts[place])
                raise UserError("WS994", "text_unreadable", place=place, type=kind) from found
            read.append(found)
        return self._rewards(read)

    def score_rows(self, rows: Iterable[Row], *, window: int) -> Iterator[ScoredRow]:
        """Each row with its rewards; no more than a window of rows is held at a time."""
        rows = iter(rows)
        while chunk := list(islice(rows, window)):
            yield from self._chunk(chunk)

    def _chunk(self, rows: list[Row]) -> Iterator[ScoredRow]:
        asked = [_texts_of(row.fields) for row in rows]
        flat = [text for each in asked for texts in each.values() for text in texts]
        rewards = iter(self._rewards_or_faults(self.encoder.whole(flat)))
        for row, each in zip(rows, asked, strict=True):
            yield _scored(row, {name: [next(rewards) for _ in each[name]] for name in each})

    def _rewards_or_faults(
        self, texts: Sequence[tuple[int, ...] | RowFault]
    ) -> Iterator[float | RowFault]:
        rewards = iter(self._rewards([each for each in texts if not isinstance(each, RowFault)]))
        return (each if isinstance(each, RowFault) else next(rewards) for each in texts)

    @torch.no_grad()
    def _rewards(self, texts: Sequence[tuple[int, ...]]) -> list[float]:
        """The rewards of token ids in their order; neighbours in length share a batch."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]), reverse=True)
        found = [0.0] * len(texts)
        for first in range(0, len(order), self.batch):
            places = order[first : first + self.batch]
            rewards_N = self.model.score([torch.tensor(texts[place]) for place in places])
            for place, reward in zip(places, rewards_N.tolist(), strict=True):
                found[place] = reward
        return found


def _texts_of(fields: Mapping[str, Any]) -> dict[str, list[Text]]:
    """What is to be scored in a row, by the name of its reward; nothing if there is no text."""
    prompt = fields.get("prompt")
    for name in ANSWERS:
        if fields.get(name) is not None:
            return {"reward": [(prompt, fields[name])]}
    asked: dict[str, list[Text]] = {}
    for name in ("chosen", "rejected"):
        given = fields.get(name)
        if given is not None:
            several = name == "rejected" and _is_several(given, fields.get("chosen"))
            asked[f"{name}_reward"] = [(prompt, each) for each in (given if several else [given])]
    return asked


def _is_several(rejected: Any, chosen: Any) -> bool:
    """Whether there are several rejected answers, each of the type of the preferred one."""
    return isinstance(rejected, list) and all(isinstance(each, type(chosen)) for each in rejected)


def _scored(row: Row, rewards: dict[str, list[float | RowFault]]) -> ScoredRow:
    faults = [each for found in rewards.values() for each in found if isinstance(each, RowFault)]
    if faults or not rewards:
        nothing = dict.fromkeys(rewards or ("reward",))
        return ScoredRow(row, nothing, faults[0] if faults else RowFault("row_no_text"))
    several = _is_several(row.fields.get("rejected"), row.fields.get("chosen"))
    numbers: dict[str, Any] = {
        name: found if several and name == "rejected_reward" else found[0]
        for name, found in rewards.items()
    }
    return ScoredRow(row, numbers)


def typed_rows(stream: Iterable[str], *, bad: BadRows) -> Iterator[Row]:
    """The lines of an input: objects of JSON, and anything else as a text of its own."""
    for line, text in enumerate(stream, 1):
        text = text.rstrip("\r\n")
        if not text.strip():
            continue
        bad.rows += 1
        if not text.lstrip().startswith("{"):
            yield Row("-", line, {"text": text})
            continue
        try:
            yield Row("-", line, json.loads(text))
        except ValueError as error:
            column = getattr(error, "colno", 1)
            bad.add(Row("-", line, {}), "row_broken_json", column=column)
