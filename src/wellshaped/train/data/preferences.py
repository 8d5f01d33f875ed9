"""What a row of preference data says: a prompt, the preferred answer and the others.

Texts, conversations (lists of messages with `role` and `content`) and token ids are told apart by
their types. Without a prompt, the answers are whole texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Kind: TypeAlias = Literal["text", "messages", "ids"]
Content: TypeAlias = str | list[dict[str, Any]] | list[int]

REQUIRED: Final = ("chosen", "rejected")
OPTIONAL: Final = ("prompt", "margin", "weight")
_IDS: Final = {"prompt": "prompt_ids", "chosen": "chosen_ids", "rejected": "rejected_ids"}


class RowFault(ValueError):
    """A row that cannot be used: the name of a text of the catalogue, and its facts."""

    def __init__(self, name: str, /, **facts: Any) -> None:
        super().__init__(name, facts)
        self.name = name
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Preference:
    """One row: the preferred answer against one or several others, all of one kind."""

    kind: Kind
    prompt: Content | None
    chosen: Content
    rejected: tuple[Content, ...]
    margins: tuple[float, ...]
    weight: float


def preference_of(fields: Mapping[str, Any]) -> Preference:
    """The preference in the fields of a row; raises `RowFault` where they hold none."""
    fields = _named(fields)
    chosen = fields["chosen"]
    kind = kind_of(chosen, "chosen")
    rejected = _rejected(fields["rejected"], kind)
    prompt = fields.get("prompt")
    if prompt is not None:
        _expect("prompt", prompt, kind)
    _refuse_empty("chosen", chosen)
    for each in rejected:
        _refuse_empty("rejected", each)
        if _same(each, chosen):
            raise RowFault("row_equal_pair")
    weight = _number("weight", fields.get("weight", 1.0))
    if weight < 0:
        raise RowFault("row_negative_weight", value=weight)
    margins = _margins(fields.get("margin", 0.0), len(rejected))
    return Preference(kind, prompt, chosen, rejected, margins, weight)


def _named(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields by their usual names: ids may come as `chosen_ids`; empty cells are absent."""
    given = {name: value for name, value in fields.items() if value is not None}
    if "chosen_ids" in given and "rejected_ids" in given:
        ids = {name: given[other] for name, other in _IDS.items() if other in given}
        given = {name: given[name] for name in ("margin", "weight") if name in given} | ids
    for name in ("margin", "weight"):
        if given.get(name) == "":  # a cell of a CSV file
            del given[name]
    for name in REQUIRED:
        if name not in given:
            raise RowFault("row_lacks", column=name)
    return given


def kind_of(value: Any, column: str = "text") -> Kind:
    """Whether a value is text, a conversation or token ids; raises `RowFault` for anything else."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        if not value:
            raise RowFault("row_empty_answer", column=column)
        if all(isinstance(each, int) and not isinstance(each, bool) for each in value):
            return "ids"
        if all(_is_message(each) for each in value):
            return "messages"
    raise RowFault("row_wrong_type", column=column, type=type_name(value))


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("role"), str) and isinstance(value.get("content"), str | list)


def _expect(column: str, value: Any, kind: Kind) -> None:
    """Raise where a value is not of the kind of the preferred answer."""
    if kind != "text" and isinstance(value, list) and not value and column == "prompt":
        return
    if kind_of(value, column) != kind:
        raise RowFault("row_other_type", column=column, type=type_name(value))


def _rejected(value: Any, kind: Kind) -> tuple[Content, ...]:
    """The other answers: one, or a list of several."""
    nested = str if kind == "text" else list
    several = isinstance(value, list) and bool(value) and all(isinstance(v, nested) for v in value)
    given = tuple(value) if several else (value,)
    for each in given:
        _expect("rejected", each, kind)
    return given


def _refuse_empty(column: str, value: Content) -> None:
    text = value if isinstance(value, str) else _last_words(value)
    if text is not None and not text.strip():
        raise RowFault("row_empty_answer", column=column)


def _last_words(value: list[dict[str, Any]] | list[int]) -> str | None:
    """What the last message says; None where that is not text."""
    last = value[-1]
    content = last["content"] if isinstance(last, dict) else None
    return content if isinstance(content, str) else None


def _same(first: Content, second: Content) -> bool:
    """Whether two answers say the same; space at their ends is not seen."""
    if isinstance(first, str) and isinstance(second, str):
        return first.rstrip() == second.rstrip()
    return first == second


def _margins(value: Any, count: int) -> tuple[float, ...]:
    if isinstance(value, list):
        if len(value) != count:
            raise RowFault("row_margin_count", got=len(value), wants=count)
        return tuple(_number("margin", each) for each in value)
    return (_number("margin", value),) * count


def _number(column: str, value: Any) -> float:
    """A finite number; cells of a CSV file are text."""
    try:
        number = math.nan if isinstance(value, bool | list) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RowFault("row_no_number", column=column, value=_shown(value))
    return number


def type_name(value: Any) -> str:
    """The type of a value, with those inside a list: `list[int]`."""
    if isinstance(value, list):
        inner = sorted({type(each).__name__ for each in value})
        return f"list[{' | '.join(inner)}]"
    return type(value).__name__


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
