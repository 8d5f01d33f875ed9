"""Who is told what a run does: a function that takes each record as it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

# Bad rows, what was cut, notes, steps, texts, and the end.
Tell: TypeAlias = Callable[[Any], None]


def nothing(record: Any) -> None:
    """Processes other than the first are silent."""
