"""An interrupt as a request: the step under way is finished, and a checkpoint written."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class StopRequest:
    """Whether the run is to end, and by which signal."""

    signal: int = 0

    def __bool__(self) -> bool:
        return self.signal != 0


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[StopRequest]:
    """While inside, the first SIGINT or SIGTERM is noted; the second acts as it did before."""
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        stop.signal = number
        _restore()

    def _restore() -> None:
        for each, handler in before.items():
            if handler is not None:
                signal.signal(each, handler)

    try:
        for each, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(each, note)
        yield stop
    finally:
        _restore()
