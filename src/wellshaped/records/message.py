"""What the text of an error says: its kind, and the shapes, sizes and dtypes it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wellshaped.records.source import Passage


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text that was pasted, read.

    `kind` is empty where no known text of torch is in it. `callee` is torch's name of what was
    called, `parts` name the parts of torch the traceback goes through (`linear`, `collate`,
    `loss`, …); both are empty where neither text nor traceback tells. `values` are shapes
    (tuples), sizes (numbers) and dtypes (names), `passages` the reader's own lines, innermost
    first.
    """

    error_type: str
    error_text: str
    kind: str = ""
    callee: str = ""
    parts: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
