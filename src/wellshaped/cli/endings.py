"""How a command ends that somebody or something stops: one line, and the status a shell expects."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

from wellshaped.cli.streams import discard_stream, fault_of
from wellshaped.cli.usage import BadUsage, usage_line

# Interrupts arrive as Python's own exception; these end the process where nobody asks otherwise.
_ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_KILLED: Final = 128  # what a shell adds to the number of a signal
_BROKEN_PIPE: Final = _KILLED + 13
# What a write to a stream meets; an error of a file names the file.
_OUTPUT: Final = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)


class Terminated(KeyboardInterrupt):
    """A signal asks this process to end; whatever cleans up after an interrupt does so here."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def ending_signals() -> Iterator[None]:
    """While inside, a signal that would end the process at once raises `Terminated` instead."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    owner = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() == owner:
            raise Terminated(number)
        signal.signal(number, signal.SIG_DFL)  # a child that was forked meanwhile just ends
        os.kill(os.getpid(), number)

    before = {each: signal.getsignal(each) for each in _ENDING}
    for each, handler in before.items():
        if handler is signal.SIG_DFL:  # `nohup` ignores one of them
            signal.signal(each, end)
    try:
        yield
    finally:
        for each, handler in before.items():
            if handler is signal.SIG_DFL:
                signal.signal(each, handler)


def ended(act: Callable[[], int], lang: Callable[[], str]) -> int:
    """The status of a command; of one that was stopped, one line says so."""
    try:
        status = act()
    except KeyboardInterrupt as stopped:
        return _stopped(stopped, lang)
    except OSError as error:
        if error.errno not in _OUTPUT or error.filename is not None:
            raise
        return _unwritten(error, lang)
    fault = fault_of(sys.stdout)
    return status if fault is None else _unwritten(fault, lang)


def _stopped(stopped: KeyboardInterrupt, lang: Callable[[], str]) -> int:
    number = stopped.number if isinstance(stopped, Terminated) else signal.SIGINT
    if number == signal.SIGINT:
        _say("interrupted", lang)
    else:
        _say("terminated", lang, signal=signal.Signals(number).name)
    return _KILLED + number


def _say(name: str, lang: Callable[[], str], **facts: Any) -> None:
    from wellshaped.locale import words
    from wellshaped.report import summary

    line = f"wellshaped: {summary.line(words(lang()), name, **facts)}"
    with contextlib.suppress(OSError, ValueError):  # whoever listened may be gone
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{start}{line}", file=sys.stderr, flush=True)


def _unwritten(error: OSError, lang: Callable[[], str]) -> int:
    """A reader that has seen enough is nothing to speak of; a disk that is full is."""
    discard_stream(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return _BROKEN_PIPE
    told = BadUsage("WS939", "cannot_print", error=error.strerror or type(error).__name__)
    with contextlib.suppress(OSError, ValueError):
        print(usage_line(told, lang()), file=sys.stderr, flush=True)
    return 2
