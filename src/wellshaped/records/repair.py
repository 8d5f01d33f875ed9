"""A proposed change of the user's source, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.source import Span

Level = Literal["safe", "changes results", "suggestion"]
# What one difference between two sources does to tensors; `repair/moves.py` says what each is.
MoveKind = Literal[
    "layout",
    "dtype",
    "row_count",
    "size_index",
    "keepdim",
    "slice",
    "pad",
    "resize",
    "argmax",
    "one_hot",
    "repeat",
    "reduce",
    "number",
    "option",
    "dim",
    "callee",
    "other",
]


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

    `changes` is what verification replays on synthetic tensors. `moves` is what the edits do: a
    repair is `lossless` if every element of every tensor stays, once and in its row. Everything
    else chooses, drops or invents something, and is a choice of the user.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    edits: tuple[Edit, ...] = ()
    level: Level = "suggestion"
    moves: tuple[MoveKind, ...] = ()
    lossless: bool = False
