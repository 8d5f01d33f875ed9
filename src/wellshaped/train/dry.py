"""Programs that take the steps of a training command, for `wellshaped check` to run.

Check looks at the user's code and passes over that of libraries, ours too. Such a program makes
the same rows, model, loss and optimizer as the command, and takes the steps in its own lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def program_of(text: str, options: Mapping[str, Any], *, batch: int) -> str:
    """The source with its options written out, and the rows of a batch."""
    given = ", ".join(f"{name}={_plain(value)!r}" for name, value in options.items())
    return text.format(options=given, batch=batch)


def _plain(value: Any) -> Any:
    """Names of files as text; a program has no `Path` of its own."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value
