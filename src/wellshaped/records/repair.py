"""A proposed change of the user's source, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.source import Span

Level = Literal["safe", "changes results", "suggestion"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A text range of a file and what stands there instead."""

    file: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One operand of the call, changed: `.squeeze(1)` after it, or an expression instead."""

    role: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A change with the name of its sentence, its edits, and the changes they make at the call.

    `changes` is what verification replays on synthetic tensors; a repair without them, or
    whose replay fails, stays a suggestion.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    edits: tuple[Edit, ...] = ()
    level: Level = "suggestion"
