"""From preferences to comparisons of token ids: joined with the prompt, ended once, made to fit.

Prompt and answer are tokenised together, for a tokenizer may merge across their border; where the
answer begins is then found on the ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from wellshaped.records.phrase import UserError
from wellshaped.train.data.comparisons import Comparison, common_prefix
from wellshaped.train.data.preferences import (
    Content,
    Kind,
    Preference,
    RowFault,
    kind_of,
    type_name,
)
from wellshaped.train.data.truncation import Cut, Side, fit

T = TypeVar("T")
Ids = list[int]
Fitted = tuple[Comparison, Cut]
# Every tokenizer makes tokens of it: what stands around them is what the tokenizer adds.
_PROBE: Final = "a b"
# Chat templates write at most this much after the end token: a line break or two.
_AFTER_END: Final = 2


class Encoder:
    """Turns preferences into comparisons; no text of them is longer than `length` tokens."""

    def __init__(self, tokenizer: Any, *, length: int, vocabulary: int | None = None) -> None:
        self.tokenizer = tokenizer
        self.length = length
        self.vocabulary = vocabulary or len(tokenizer)
        self.lead, self.end = added_tokens(tokenizer)
        least = len(self.lead) + len(self.end) + 1
        if length < least:
            raise UserError("WS988", "length_too_small", length=length, least=least)

    def encode(self, preferences: Sequence[Preference]) -> list[Fitted | RowFault]:
        """The comparison of each preference, or why it has none; all are tokenised at once."""
        drafts = [_or_bad(self._draft, each) for each in preferences]
        made = self._tokenised(text for each in drafts for text in _texts(each))
        return [
            draft
            if isinstance(draft, RowFault)
            else _or_bad(self._compared, each, [_ids(part, made) for part in draft])
            for each, draft in zip(preferences, drafts, strict=True)
        ]

    def whole(
        self, texts: Sequence[tuple[Content | None, Content]]
    ) -> list[tuple[int, ...] | RowFault]:
        """Texts as the model reads them, each alone: a prompt, if there is one, and an answer.

        The prompt is cut from the left, and so is a text without one.
        """
        drafts = [_or_bad(self._parts, *each) for each in texts]
        made = self._tokenised(text for each in drafts for text in _texts(each))
        return [
            draft
            if isinstance(draft, RowFault)
            else _or_bad(self._alone, *each, [_ids(part, made) for part in draft])
            for each, draft in zip(texts, drafts, strict=True)
        ]

    def _parts(self, prompt: Content | None, answer: Content) -> list[str | Ids]:
        kind = kind_of(answer)
        if prompt and kind_of(prompt, "prompt") != kind:
            raise RowFault("row_other_type", column="prompt", type=type_name(prompt))
        return [self._prompt(prompt), self._joined(prompt, answer)]

    def _alone(self, prompt: Content | None, answer: Content, ids: list[Ids]) -> tuple[int, ...]:
        asked, side = (self._side(each, kind_of(answer)) for each in ids)
        cuttable = common_prefix(asked.body, side.body) if prompt else len(side.body)
        (text,), _ = fit([side], prompt=cuttable, length=self.length)
        if not text:
            raise RowFault("row_empty_answer", column="text")
        return text

    def _draft(self, preference: Preference) -> list[str | Ids]:
        """The prompt alone, then each side with it, as text; ids stay ids."""
        sides = (preference.chosen, *preference.rejected)
        return [
            self._prompt(preference.prompt),
            *(self._joined(preference.prompt, each) for each in sides),
        ]

    def _prompt(self, prompt: Content | None) -> str | Ids:
        if _is_chat(prompt):
            return templated(self.tokenizer, prompt, add_generation_prompt=True)
        return prompt or ""  # type: ignore[return-value]  # no list of messages any more

    def _joined(self, prompt: Content | None, answer: Content) -> str | Ids:
        whole: Any = prompt + answer if prompt else answer  # type: ignore[operator]  # one kind
        if _is_chat(whole):
            return templated(self.tokenizer, whole)
        if isinstance(whole, list):
            self._refuse_unknown(whole)
        return whole  # type: ignore[no-any-return]

    def _refuse_unknown(self, ids: Ids) -> None:
        wrong = next((each for each in ids if not 0 <= each < self.vocabulary), None)
        if wrong is not None:
            raise RowFault("row_unknown_token", token=wrong, size=self.vocabulary)

    def _tokenised(self, texts: Iterable[str]) -> dict[str, Ids]:
        once = list(dict.fromkeys(texts))
        if not once:
            return {}
        made = self.tokenizer(once, add_special_tokens=False, truncation=False, verbose=False)
        return dict(zip(once, made["input_ids"], strict=True))

    def _compared(self, preference: Preference, ids: list[Ids]) -> Fitted:
        prompt, *sides = (self._side(each, preference.kind) for each in ids)
        chosen = sides[0]
        if chosen in sides[1:]:
            raise RowFault("row_equal_tokens")
        beginnings = [side.body for side in sides[1:]]
        beginnings += [prompt.body] if preference.prompt else []
        shared = min(common_prefix(chosen.body, each) for each in beginnings)
        texts, cut = fit(sides, prompt=shared, length=self.length)
        if texts[0] in texts[1:]:
            raise RowFault("row_equal_cut", length=self.length)
        return Comparison(tuple(texts), preference.margins, preference.weight), cut

    def _side(self, ids: Ids, kind: Kind) -> Side:
        """The parts of a sequence: ids and templates say themselves whether they have a lead."""
        led = ids[: len(self.lead)] == self.lead
        body = ids[len(self.lead) :] if led else ids
        start = self._end(body)
        end = body[start:] or ([] if kind == "ids" else self.end)
        return Side(self.lead if led or kind == "text" else [], body[:start], end)

    def _end(self, body: Ids) -> int:
        """Where the end begins, if the sequence has one: its token, and at most blanks after it."""
        for start in range(len(body) - 1, max(-1, len(body) - 2 - _AFTER_END), -1):
            if body[start : start + 1] == self.end[-1:]:
                return start
            if self.tokenizer.decode(body[start : start + 1]).strip():
                break
        return len(body)


def templated(tokenizer: Any, messages: Any, **options: Any) -> str:
    """A conversation as one text, by the chat template of the tokenizer."""
    if not getattr(tokenizer, "chat_template", None):
        raise UserError("WS992", "no_chat_template")
    try:
        return str(tokenizer.apply_chat_template(messages, tokenize=False, **options))
    except Exception as error:  # templates raise what they like
        text = str(error).splitlines() or [type(error).__name__]
        raise RowFault("row_template", error=text[0]) from error


def added_tokens(tokenizer: Any) -> tuple[Ids, Ids]:
    """What is put before and after a text: by the tokenizer itself, and an end if it has one."""
    bare = tokenizer(_PROBE, add_special_tokens=False)["input_ids"]
    full = tokenizer(_PROBE)["input_ids"]
    start = next(n for n in range(len(full)) if full[n : n + len(bare)] == bare)
    lead, trail = full[:start], full[start + len(bare) :]
    end = tokenizer.eos_token_id
    if end is not None and not trail:
        trail = [end]
    return lead, trail


def _or_bad(made: Callable[..., T], *given: Any) -> T | RowFault:
    try:
        return made(*given)
    except RowFault as error:
        return error


def _texts(draft: list[str | Ids] | RowFault) -> list[str]:
    return [] if isinstance(draft, RowFault) else [each for each in draft if isinstance(each, str)]


def _ids(part: str | Ids, made: dict[str, Ids]) -> Ids:
    return made[part] if isinstance(part, str) else part


def _is_chat(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and isinstance(content[0], dict)
