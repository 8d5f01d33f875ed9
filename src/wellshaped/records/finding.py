"""What a rule concludes from an observation: facts for sentences, never sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.observation import Observation
from wellshaped.records.phrase import Phrase
from wellshaped.records.source import Passage

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: its rule, the observation, and the facts its sentences are filled with.

    `variant` chooses among the sentences of a rule; `blamed` is the role of the operand that
    does not fit; `needs` is a row of (role, shape as it should be), `needs_note` and `note` stand
    at the end of that row and of the one below; `origin` is where the wrong axis was born, or,
    if `origin_tried`, where a change was tried with which the program runs.
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
