"""The standard streams of a command: always there, and never a reason for a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Final, TextIO

_STANDARD: Final = ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"))


@contextlib.contextmanager
def safe_streams() -> Iterator[None]:
    """While inside, what a stream cannot encode is written as an escape, as `\\u2026`.

    A stream that was closed before we began is a null device: the next file that is opened would
    otherwise take its number, and get what is printed.
    """
    _open_missing()
    before = [(stream, stream.errors) for stream in (sys.stdout, sys.stderr)]
    for stream, _ in before:
        replace_by(stream, "backslashreplace")
    try:
        yield
    finally:
        for stream, errors in before:
            replace_by(stream, errors)


def _open_missing() -> None:
    for number, name, mode in _STANDARD:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def replace_by(stream: TextIO, errors: str | None) -> None:
    """What a stream does with text it cannot encode, or with bytes it cannot decode."""
    reconfigure = getattr(stream, "reconfigure", None)  # others stand in for it in tests
    if reconfigure is not None and errors is not None:
        with contextlib.suppress(ValueError, OSError):  # it is closed, or cannot be flushed
            reconfigure(errors=errors)


def fault_of(stream: TextIO) -> OSError | None:
    """Why what was printed cannot be written; None where it can, and then it is."""
    try:
        stream.flush()
    except OSError as error:  # what could not be written stays in the buffer
        return error
    except ValueError:  # it is closed
        return None
    return None


def discard_stream(stream: TextIO) -> None:
    """Let what is left in the buffer go nowhere: Python writes it once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
