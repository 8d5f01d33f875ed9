"""Says which extra of this package brings what is not installed."""

from __future__ import annotations

import importlib.util

from wellshaped.records.phrase import UserError


class MissingExtra(UserError, ImportError):
    """A package that only an extra installs is not there."""


def need(package: str, *, extra: str) -> None:
    """Raise, with the command that installs it, where a package is missing."""
    if importlib.util.find_spec(package) is None:
        raise MissingExtra("WS961", "missing_extra", package=package, extra=extra)
