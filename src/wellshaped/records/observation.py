"""What was seen of a running program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellshaped.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's program."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class LossCall:
    """A call of a loss that was judged, where it stands, and how often it was seen."""

    loss: str
    verdict: Verdict
    facts: Mapping[str, Any]
    place: Place
    count: int = 1
