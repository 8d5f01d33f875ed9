"""Ends a run when its time is over."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


class TimeUp(BaseException):
    """The budget of a run is spent."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside when the time is over."""

    def ring(*_: object) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, ring)
    # Again and again: python drops an exception that comes while it collects garbage.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
