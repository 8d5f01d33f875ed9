"""Lets a forked child use TensorBoard, whose writer hands its rows to a thread of the parent.

`SummaryWriter.flush` waits until that thread has written every row. In a forked child the thread
does not exist: the step would wait until its time is over (TensorBoard 2.21).
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable

_WRITER = ("tensorboard.summary.writer.event_file_writer", "_AsyncWriterThread")


def running_writers() -> list[threading.Thread]:
    """The threads of TensorBoard that run in this process: those a forked child would miss."""
    return [each for each in threading.enumerate() if _class_of(each) == _WRITER]


def start_again(writers: Iterable[threading.Thread]) -> None:
    """In a forked child that is sandboxed already: run these threads, with what waits for them."""
    for each in writers:
        _unlock(vars(each)["_queue"])
        threading.Thread.__init__(each, name=each.name, daemon=True)
        each.start()


def _class_of(thread: threading.Thread) -> tuple[str, str]:
    return type(thread).__module__, type(thread).__name__


def _unlock(waiting: queue.Queue[bytes]) -> None:
    """Give a queue new locks: the old ones know of a thread that is not there."""
    waiting.mutex = threading.Lock()
    waiting.not_empty = threading.Condition(waiting.mutex)
    waiting.not_full = threading.Condition(waiting.mutex)
    waiting.all_tasks_done = threading.Condition(waiting.mutex)
