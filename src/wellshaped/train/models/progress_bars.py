"""The progress bars of transformers, silenced: a run has a line of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def silence_progress_bars() -> Iterator[None]:
    """While inside, loading and saving models draws nothing."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
