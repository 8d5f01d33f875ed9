"""The facts of a sentence with nothing in them that a terminal would obey.

Names of files, texts of exceptions and arguments come from the user: an escape sequence or a new
line in one of them is shown, never sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellshaped.records.phrase import Phrase
from wellshaped.report.text.width import visible


def safe(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts, by their names."""
    return {name: safe_fact(fact) for name, fact in facts.items()}


def safe_fact(fact: Any) -> Any:
    """A fact: a text made visible, a phrase with what fills it; numbers format themselves."""
    if isinstance(fact, Phrase):
        return Phrase(fact.name, safe(fact.facts))
    return fact if isinstance(fact, (int, float)) else visible(str(fact))
