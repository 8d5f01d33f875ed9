"""What a command was asked to see beyond the fault itself; children that are forked inherit it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_pictures = False


def enable_flow_capture() -> None:
    """From now on the steps that made a tensor are told with their shapes.

    Recomputing them loads much of torch: a second that nobody who reads a text has to wait.
    """
    global _pictures
    _pictures = True


def flow_capture_enabled() -> bool:
    """Whether shapes of steps are worth their time."""
    return _pictures


@contextmanager
def flow_capture() -> Iterator[None]:
    """Ask for them inside the block."""
    global _pictures
    before, _pictures = _pictures, True
    try:
        yield
    finally:
        _pictures = before
