"""What a rule concludes from an observation: facts for sentences, never sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.observation import Observation
from wellshaped.records.phrase import Phrase
from wellshaped.records.source import Passage, Place

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class SizeOrigin:
    """A number of the program that sets a size which does not fit, as a run with another showed.

    The size is that of dimension `dim` of the operand, or option, `name`; `value` is the number
    that is written at `passage`, and `path` are the lines from there to the call, without either.
    """

    size: int
    name: str
    dim: int | None
    value: int
    passage: Passage
    path: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: its rule, the observation, and the facts its sentences are filled with.

    `variant` chooses among the sentences of a rule; `blamed` is the role of the operand that
    does not fit; `needs` is a row of (role, shape as it should be), `needs_note` and `note` stand
    at the end of that row and of the one below; `origin` is where the wrong axis was born, or,
    if `origin_tried`, where a change was tried with which the program runs; `origins` are the
    numbers that set the sizes which do not fit, one for each side as far as that is known.
    """

    code: str
    name: str
    severity: Severity
    observation: Observation
    variant: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    blamed: tuple[str, ...] = ()
    needs: tuple[tuple[str, str | Phrase], ...] = ()
    note: Phrase | None = None
    origin: Passage | None = None
    needs_note: Phrase | None = None
    origin_tried: bool = False
    origins: tuple[SizeOrigin, ...] = ()
