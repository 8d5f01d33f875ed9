"""Models and tokenizers that transformers finds: in a folder, on the hub, or in the hub's cache."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from wellshaped.records.phrase import UserError
from wellshaped.train.models.progress_bars import silence_progress_bars

# How long the hub may take to answer at all.
_SECONDS: Final = 3.0
_OFFLINE: Final = {"local_files_only": True}


@contextmanager
def loading(model: str | Path, otherwise: str) -> Iterator[dict[str, Any]]:
    """Inside, something is loaded with the options given; `otherwise` tells that it failed."""
    _refuse_missing(model)
    options = {} if Path(model).is_dir() or hub_answers() else _OFFLINE
    try:
        with silence_progress_bars():
            yield dict(options)
    except (ImportError, OSError, ValueError, KeyError) as error:
        if isinstance(error, UserError):
            raise
        if options and isinstance(error, OSError):
            raise UserError("WS993", "not_in_cache", model=str(model)) from error
        raise UserError("WS993", otherwise, model=str(model), error=_first_line(error)) from error


@functools.cache
def hub_answers() -> bool:
    """Whether the hub can be reached: one short try, where transformers makes many long ones."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=_SECONDS)
    except Exception:  # by another name for each client that huggingface_hub had so far
        return False
    return True


def _refuse_missing(model: str | Path) -> None:
    """Raise for a folder that is not there; anything else may be a name on the hub."""
    named = str(model)
    is_path = isinstance(model, Path) or named.startswith((".", "/", "~")) or named.count("/") > 1
    if is_path and not Path(model).is_dir():
        raise UserError("WS993", "no_model_folder", model=named)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
