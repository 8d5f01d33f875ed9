"""A piece of text as facts: its name in a table of the catalogue, and what fills it."""

from __future__ import annotations

import sys
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


class UserError(ValueError):
    """An error with the code of its page, told by a message of the catalogue."""

    def __init__(self, code: str, name: str, /, **facts: Any) -> None:
        super().__init__(code, name, facts)
        self.code = code
        self.message = Phrase(name, facts)

    def __str__(self) -> str:
        # The package finds the sentence, for the records know no words; it is always loaded.
        package = sys.modules[__name__.partition(".")[0]]
        return f"{self.code}: {package._say(self.message)}"

    def __reduce__(self) -> tuple[Any, ...]:
        # The workers of a `DataLoader` send their errors home.
        return _told, (type(self), self.code, self.message)


def _told(kind: type[UserError], code: str, message: Phrase) -> UserError:
    error = kind.__new__(kind)
    UserError.__init__(error, code, message.name, **message.facts)
    return error
