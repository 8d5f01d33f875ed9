"""Runs functions in forked children, several at a time, and gives their results in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

import torch

from wellshaped.execute.forked.child import Child, begin, drop, finished

Result = TypeVar("Result")


def run_forked(
    tasks: Sequence[Callable[[], Result]], *, seconds: float, width: int = 0
) -> Generator[Result | None, None, None]:
    """The result of each task, None for one that died or was late, as soon as it is its turn.

    As many run side by side as there are cores. Closing the iterator ends those under way with
    all their children, and takes away what they left in the folder for temporary files.
    """
    torch.set_num_threads(1)  # or the children wait for threads they do not have
    width = width or max(1, os.cpu_count() or 1)
    running: dict[Child, int] = {}
    results: dict[int, Result | None] = {}
    begun = turn = 0
    try:
        while turn < len(tasks):
            while len(running) < width and begun < len(tasks):
                running[_begin(tasks[begun], seconds)] = begun
                begun += 1
            if turn in results:
                yield results.pop(turn)
                turn += 1
            else:
                for child in finished([*running]):
                    results[running.pop(child)] = child.result
    finally:
        for child in running:
            drop(child)


def _begin(task: Callable[[], Result], seconds: float) -> Child:
    return begin(lambda _: task(), seconds=seconds, listens=False)
