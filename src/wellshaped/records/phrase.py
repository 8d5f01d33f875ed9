"""A piece of text as facts: its name in a table of the catalogue, and what fills it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words by name; the language is chosen where they are printed.

    Among the facts of a finding the name is one of the rule's `PHRASES`, elsewhere one of the
    catalogue's. Facts may be phrases themselves.
    """

    name: str
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


def phrase(name: str, /, **facts: Any) -> Phrase:
    """A phrase with its facts by name."""
    return Phrase(name, facts)


class Told(ValueError):
    """An error with the code of its page, told by a message of the catalogue."""

    def __init__(self, code: str, name: str, /, **facts: Any) -> None:
        said = ", ".join(f"{key} {fact}" for key, fact in facts.items())
        super().__init__(f"{code}: {name.replace('_', ' ')} ({said})")
        self.code = code
        self.message = Phrase(name, facts)
