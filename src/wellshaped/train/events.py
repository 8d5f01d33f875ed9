"""The events of a run, as records, and who takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

# Bad rows, what was truncated, notes, steps, sampled texts, and the end.
EventSink: TypeAlias = Callable[[Any], None]


def discard(record: Any) -> None:
    """The sink of all processes but the first."""
