"""The kinds of tasks: which columns each reads, and what it makes of a row."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from wellshaped.records.phrase import Phrase, UserError, phrase
from wellshaped.train.tasks.vocabulary import LEVELS, Level, split

# Labels and tags of a CSV stand in one field.
_SEPARATORS: Final = ("|", ";", ",")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where a task finds its inputs and targets.

    `text` may be empty where there are numeric `features`; `targets` has several names only for
    a regression to several numbers.
    """

    text: str = ""
    features: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    level: Level = "word"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            known = ", ".join(LEVELS)
            raise UserError("WS988", "setting_choice", name="level", known=known, got=self.level)
        if not self.text and not self.features:
            raise UserError("WS988", "no_inputs")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns that are needed to predict."""
        return (*((self.text,) if self.text else ()), *self.features)

    @property
    def all(self) -> tuple[str, ...]:
        """The columns that are needed to train."""
        return (*self.inputs, *self.targets)


@dataclass(frozen=True, slots=True)
class Example:
    """A row as a task sees it: its tokens, its numbers, and what is expected."""

    tokens: tuple[str, ...]
    features: tuple[float, ...] = ()
    target: Any = None


class NotUsable(Exception):
    """A row that a task cannot use, and why."""

    def __init__(self, name: str, /, **facts: Any) -> None:
        super().__init__(name)
        self.reason: Phrase = phrase(name, **facts)


@dataclass(frozen=True, slots=True)
class Kind:
    """One task: its name in `nn.task`, its usual columns, and how a target is read."""

    name: str
    task: str
    text: str
    target: str
    read: Callable[[dict[str, Any], Columns], Any] = field(repr=False)
    level: Level = "word"
    epochs: int = 5
    takes_features: bool = False

    def inputs(self, fields: dict[str, Any], columns: Columns) -> Example:
        """A row without what is expected of it."""
        features = tuple(_number(fields, name) for name in columns.features)
        return Example(self.tokens(fields, columns), features)

    def tokens(self, fields: dict[str, Any], columns: Columns) -> tuple[str, ...]:
        """The tokens of a row's text."""
        if not columns.text:
            return ()
        if self.name == "tag":
            return _names(fields, columns.text, blank=True)
        tokens = split(_text(fields, columns.text), columns.level)
        if not tokens:
            raise NotUsable("row_empty_text", column=columns.text)
        return tokens

    def example(self, fields: dict[str, Any], columns: Columns) -> Example:
        """A row with what is expected of it."""
        given = self.inputs(fields, columns)
        target = self.read(fields, columns)
        if self.name == "tag" and len(target) != len(given.tokens):
            counts = {"tokens": len(given.tokens), "tags": len(target)}
            raise NotUsable("row_tag_count", **counts)
        return Example(given.tokens, given.features, target)


def _label(fields: dict[str, Any], columns: Columns) -> str:
    value = fields[columns.targets[0]]
    if isinstance(value, str | int | bool) and str(value).strip():
        return str(value).strip()
    raise NotUsable("row_no_label", column=columns.targets[0])


def _numbers(fields: dict[str, Any], columns: Columns) -> tuple[float, ...]:
    return tuple(_number(fields, name) for name in columns.targets)


def _labels(fields: dict[str, Any], columns: Columns) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_names(fields, columns.targets[0], blank=False)))


def _tags(fields: dict[str, Any], columns: Columns) -> tuple[str, ...]:
    return _names(fields, columns.targets[0], blank=True)


def _written(fields: dict[str, Any], columns: Columns) -> tuple[str, ...]:
    return split(_text(fields, columns.targets[0]), columns.level)


def _text(fields: dict[str, Any], column: str) -> str:
    value = fields[column]
    if not isinstance(value, str):
        raise NotUsable("row_not_text", column=column, got=type(value).__name__)
    return value


def _number(fields: dict[str, Any], column: str) -> float:
    value = fields[column]
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise NotUsable("row_not_number", column=column, got=str(value)[:40])
    return number


def _names(fields: dict[str, Any], column: str, *, blank: bool) -> tuple[str, ...]:
    """A list of names: as such, as JSON, or in one text, between blanks or separators."""
    value = fields[column]
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            raise NotUsable("row_not_list", column=column) from None
    if isinstance(value, str):
        mark = None if blank else next((each for each in _SEPARATORS if each in value), ",")
        value = [each.strip() for each in value.split(mark) if each.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(x, str | int) for x in value):
        raise NotUsable("row_not_list", column=column)
    if blank and not value:
        raise NotUsable("row_empty_text", column=column)
    return tuple(str(each) for each in value)


KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("classify", "multiclass", "text", "label", _label, takes_features=True),
        Kind("regress", "regression", "text", "target", _numbers, epochs=10, takes_features=True),
        Kind("multilabel", "multilabel", "text", "labels", _labels, epochs=8, takes_features=True),
        Kind("tag", "tagging", "tokens", "tags", _tags),
        Kind("seq2seq", "seq2seq", "source", "target", _written, level="byte", epochs=10),
    )
}
