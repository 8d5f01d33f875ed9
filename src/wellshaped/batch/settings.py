"""The settings of batches, each held against what it takes."""

from __future__ import annotations

from typing import Any

from wellshaped.records.phrase import UserError


def check_choice(name: str, got: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is not one of the words."""
    if got not in choices:
        raise UserError("WS919", "setting_choice", name=name, got=got, known=", ".join(choices))


def check_count(name: str, got: Any, *, least: int = 1) -> None:
    """Refuse what is not a whole number from `least` on."""
    if isinstance(got, bool) or not isinstance(got, int) or got < least:
        raise UserError("WS919", "setting_count", name=name, got=repr(got), least=least)
