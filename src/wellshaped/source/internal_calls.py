"""Marks calls of torch that this tool makes itself: they are no calls of the user's program."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

_internal: ContextVar[bool] = ContextVar("wellshaped calls torch itself", default=False)

# Whether what is computed just now is no call of the user's: asked before each loss, so it is the
# look-up itself.
in_internal_call = _internal.get


@contextlib.contextmanager
def internal_calls() -> Iterator[None]:
    """No guard judges and no trace follows what is called inside."""
    with _calls_are(internal=True):
        yield


@contextlib.contextmanager
def user_calls() -> Iterator[None]:
    """What is called inside is judged as the user's own, whoever calls."""
    with _calls_are(internal=False):
        yield


@contextlib.contextmanager
def _calls_are(*, internal: bool) -> Iterator[None]:
    token = _internal.set(internal)
    try:
        yield
    finally:
        _internal.reset(token)
