"""Prompts and demonstrations from rows: texts, conversations or ids, as the policy reads them.

A prompt and its answer are tokenised together and parted where the tokens of the prompt alone
end: a tokenizer may merge across their border, and then what was merged belongs to the answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeVar

from wellshaped.records.phrase import Phrase
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.comparisons import common_prefix
from wellshaped.train.data.encoder import added_tokens, templated
from wellshaped.train.data.preferences import Content, RowFault, kind_of
from wellshaped.train.data.rows import Data, Row, rows_of
from wellshaped.train.data.truncation import Side, fit
from wellshaped.train.events import EventSink
from wellshaped.train.rl.responses import Response

One = TypeVar("One")

# What is learned of a row: the first of these that it has.
ANSWERS: Final = ("response", "completion", "answer", "chosen")


@dataclass(frozen=True)
class Prompt:
    """What is to be answered, as text and as tokens; a conversation also as its messages."""

    text: str
    tokens: tuple[int, ...]
    messages: tuple[dict[str, Any], ...] = ()


class Coder:
    """Turns rows into tokens; none of them has more than `length`."""

    def __init__(self, tokenizer: Any, *, length: int, vocabulary: int | None = None) -> None:
        self.tokenizer, self.length = tokenizer, length
        self.vocabulary = vocabulary or len(tokenizer)
        self.lead, self.end = added_tokens(tokenizer)

    def prompt(self, fields: Mapping[str, Any]) -> Prompt:
        """The prompt of a row; of one that is too long the last tokens are kept."""
        given = fields.get("prompt", fields.get("messages"))
        if given is None:
            raise RowFault("row_lacks", column="prompt")
        text, tokens = self._asked(given)
        lead, body = self._led(tokens, given)
        room = self.length - len(lead)
        begun = self._begun((*lead, *body[max(0, len(body) - room) :]))
        said = tuple(given) if kind_of(given, "prompt") == "messages" else ()
        return Prompt(text, begun, said)

    def demonstration(self, fields: Mapping[str, Any]) -> Response:
        """A prompt and the answer that is to be learned; without a prompt, all of a text is."""
        prompt, answer, whole = self._parts(fields)
        if not answer:
            raise RowFault("row_empty_answer", column="response")
        lead, body = self._led(whole, prompt)
        first = common_prefix(self._led(self._asked(prompt)[1], prompt)[1], body) if prompt else 0
        end = [] if body[-1:] == self.end[-1:] else self.end
        (tokens,), cut = fit([Side(lead, body, end)], prompt=first, length=self.length)
        starts = len(lead) + first - cut.prompt
        begun = self._begun(tokens[:starts])
        return Response(begun, tuple(tokens[starts:]), (), ended=True, group=0)

    def _parts(self, fields: Mapping[str, Any]) -> tuple[Content, Any, list[int]]:
        """The prompt, the answer, and the tokens of both together."""
        messages = fields.get("messages")
        if messages is not None:
            kind_of(messages, "messages")
            text = templated(self.tokenizer, messages)
            return messages[:-1], messages[-1].get("content"), self._ids(text)
        prompt = fields.get("prompt") or ""
        name = next((name for name in ANSWERS if fields.get(name) is not None), "text")
        answer = fields.get(name)
        if answer is None:
            raise RowFault("row_lacks", column="response")
        kind = kind_of(answer, name)
        if prompt and kind_of(prompt, "prompt") != kind:
            raise RowFault("row_wrong_type", column="prompt", type=type(prompt).__name__)
        whole = prompt + answer if prompt else answer
        if kind == "messages":
            return prompt, answer, self._ids(templated(self.tokenizer, whole))
        return prompt, answer, self._ids(whole) if kind == "text" else self._known(whole)

    def _asked(self, prompt: Content) -> tuple[str, list[int]]:
        """A prompt as text and as tokens, ready to be answered."""
        kind = kind_of(prompt, "prompt")
        if kind == "ids":
            return str(self.tokenizer.decode(prompt)), self._known(prompt)
        text = (
            templated(self.tokenizer, prompt, add_generation_prompt=True)
            if kind == "messages"
            else str(prompt)
        )
        return text, self._ids(text)

    def _led(self, tokens: list[int], given: Content) -> tuple[list[int], list[int]]:
        """What the tokenizer puts before a text, and the rest; templates and ids have it."""
        led = tokens[: len(self.lead)] == self.lead
        body = tokens[len(self.lead) :] if led else tokens
        return self.lead if led or isinstance(given, str) else [], body

    def _begun(self, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """The first token of an answer is drawn from something: an end, if there is nothing."""
        return tokens or tuple(self.end[-1:])

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)[
            "input_ids"
        ]
        return found

    def _known(self, ids: Any) -> list[int]:
        wrong = next((each for each in ids if not 0 <= each < self.vocabulary), None)
        if wrong is not None:
            raise RowFault("row_unknown_token", token=wrong, size=self.vocabulary)
        return list(ids)


def read_prompts(data: Data, coder: Coder, *, bad: BadRows) -> list[Prompt]:
    """The prompts of all rows; rows without one go to `bad`."""
    return [found for row in rows_of(data, bad=bad) for found in _made(coder.prompt, row, bad)]


def read_demonstrations(data: Data, coder: Coder, *, bad: BadRows) -> list[Response]:
    """The demonstrations of all rows; rows without one go to `bad`."""
    return [
        found for row in rows_of(data, bad=bad) for found in _made(coder.demonstration, row, bad)
    ]


def _made(make: Any, row: Row, bad: BadRows) -> Iterator[Any]:
    try:
        yield make(row.fields)
    except RowFault as fault:
        bad.add(row, fault.name, **fault.facts)


def split_prompts(
    data: Data,
    held_out: Data | None,
    coder: Coder,
    *,
    share: float,
    most: int,
    seed: int,
    skip: bool,
    tell: EventSink,
) -> tuple[list[Prompt], list[Prompt]]:
    """Prompts to learn from, and at most so many to evaluate on: others, or a share of the same."""
    learned = _settled(partial(read_prompts, data, coder), skip=skip, tell=tell)
    if held_out is not None:
        return learned, _settled(partial(read_prompts, held_out, coder), skip=skip, tell=tell)[
            :most
        ]
    return split_off(learned, min(round(share * len(learned)), most), seed=seed)


def split_demonstrations(
    data: Data,
    held_out: Data | None,
    coder: Coder,
    *,
    share: float,
    seed: int,
    skip: bool,
    tell: EventSink,
) -> tuple[list[Response], list[Response]]:
    """Demonstrations to learn from and to evaluate on: of other data, or a share of the same."""
    learned = _settled(partial(read_demonstrations, data, coder), skip=skip, tell=tell)
    if held_out is None:
        learned, others = split_off(learned, round(share * len(learned)), seed=seed)
    else:
        others = _settled(partial(read_demonstrations, held_out, coder), skip=skip, tell=tell)
    tokens = sum(len(one.tokens) for one in learned)
    facts = {"count": len(learned), "tokens": tokens, "held": len(others)}
    tell(Phrase("demonstrations_read", facts))
    return learned, others


def split_off(rows: list[One], count: int, *, seed: int) -> tuple[list[One], list[One]]:
    """The rows to learn from and so many to evaluate on, by chance; at least one is learned."""
    order = list(range(len(rows)))
    random.Random(f"held out {seed}").shuffle(order)
    held = set(order[: min(count, len(rows) - 1)])
    return (
        [one for place, one in enumerate(rows) if place not in held],
        [rows[place] for place in sorted(held)],
    )


def prompts_digest(prompts: list[Prompt]) -> str:
    """A mark that tells these prompts from any others."""
    mark = sha256(repr([one.tokens for one in prompts]).encode())
    return mark.hexdigest()[:16]


def demonstrations_digest(rows: list[Response]) -> str:
    """A mark that tells these demonstrations from any others."""
    mark = sha256()
    for one in rows:
        mark.update(repr((one.prompt, one.tokens)).encode())
    return mark.hexdigest()[:16]


def _settled(read: Callable[..., list[One]], *, skip: bool, tell: EventSink) -> list[One]:
    """What was read, once bad rows are reported, and end it unless they may be left out."""
    bad = BadRows()
    found = read(bad=bad)
    bad.settle(skip=skip, tell=tell)
    return found
