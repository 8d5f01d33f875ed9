"""Collects the rows that cannot be trained on, so that all of them are told before training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import BadRow, Flaws

_SHOWN = 10


class _Placed(Protocol):
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...


class BadRows:
    """The bad rows of all files: the first `shown` with their reasons, of the rest the number."""

    def __init__(self, *, shown: int = _SHOWN) -> None:
        self.rows = 0
        self._shown = shown
        self._first: list[BadRow] = []
        self._kinds: Counter[str] = Counter()
        self._examples: dict[str, Phrase] = {}

    def __len__(self) -> int:
        return sum(self._kinds.values())

    def add(self, row: _Placed, name: str, /, **facts: Any) -> None:
        """Note a row and why it is bad: a name of the catalogue's `training` texts."""
        self._kinds[name] += 1
        self._examples.setdefault(name, Phrase(name, facts))
        if len(self._first) < self._shown:
            self._first.append(BadRow(row.file, row.line, Phrase(name, facts)))

    @property
    def flaws(self) -> Flaws:
        """What was collected, as a record."""
        files = list(dict.fromkeys(row.file for row in self._first))
        first = sorted(self._first, key=lambda row: (files.index(row.file), row.line))
        return Flaws(tuple(first), dict(self._kinds), self.rows, dict(self._examples))

    def settle(self, *, skip: bool, tell: Callable[[Flaws], None]) -> None:
        """Tell the bad rows, and raise unless they are to be left out and good ones are left."""
        if len(self):
            tell(self.flaws)
        if len(self) and not skip:
            raise UserError("WS984", "bad_rows", count=len(self), rows=self.rows)
        if len(self) >= self.rows:
            raise UserError("WS984", "no_rows_left", rows=self.rows)
