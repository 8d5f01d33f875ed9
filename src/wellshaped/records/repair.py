"""A proposed change of the user's source, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.source import Span

Level = Literal["safe", "changes results", "choice"]
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
# Of these every element is still there, once; which row it is in is verified by numbering them.
LOSSLESS: frozenset[MoveKind] = frozenset(("layout", "dtype", "row_count", "size_index", "keepdim"))

# These make shapes agree by dropping elements, or by making some up.
DROPPING: frozenset[MoveKind] = frozenset(
    ("slice", "pad", "resize", "argmax", "one_hot", "repeat", "reduce")
)


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
class Move:
    """One difference between two sources: its kind, the text that stood there, and the new one."""

    kind: MoveKind
    before: str
    after: str

    @property
    def lossless(self) -> bool:
        """Whether every element is still there, as far as the text alone says."""
        return self.kind in LOSSLESS


@dataclass(frozen=True, slots=True)
class Repair:
    """A change with the name of its sentence, its edits, and the changes they make at the call.

    `changes` is what verification replays on synthetic tensors. `moves` is what the edits do: a
    repair is `lossless` if every element of every tensor stays, once and in its row. It is `alone`
    if no other repair that explains the fault as well gives other results. What is not both is a
    choice of the user; so is a `guess`, a change that no rule has a reason for.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    edits: tuple[Edit, ...] = ()
    level: Level = "choice"
    moves: tuple[Move, ...] = ()
    lossless: bool = False
    alone: bool = False
    guess: bool = False

    @property
    def deciding(self) -> Move | None:
        """The move that makes a choice of it: one that is not lossless before one that is."""
        return min(self.moves, key=lambda each: each.lossless, default=None)

    @property
    def kinds(self) -> frozenset[MoveKind]:
        """The kinds of its moves."""
        return frozenset(each.kind for each in self.moves)
