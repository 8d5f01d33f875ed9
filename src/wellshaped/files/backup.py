"""A copy of a file under a name that nothing had: `train.py.bak`, then `train.py.bak.1`."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from pathlib import Path
from typing import Final

from wellshaped.files.dress import Dress, not_kept, wear, worn
from wellshaped.files.whole import write_all
from wellshaped.records.fix import NotKept

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def back_up(
    target: Path, data: bytes, dress: Dress, *, undo: contextlib.ExitStack
) -> tuple[Path, tuple[NotKept, ...]]:
    """Keep the bytes beside their file, with its dress; `undo` gets what removes them again.

    A backup that has these bytes already is left as it is.
    """
    for number in itertools.count():
        place = target.with_name(f"{target.name}.bak" + (f".{number}" if number else ""))
        try:
            handle = os.open(place, _NEW, 0o600)
        except FileExistsError:
            if _holds(place, data):
                return place, ()
            continue
        undo.callback(place.unlink, missing_ok=True)
        try:
            write_all(handle, data)
            wear(handle, dress)
            os.fsync(handle)
            return place, tuple(not_kept(str(place), dress, worn(handle)))
        finally:
            os.close(handle)
    raise AssertionError("there is always a next number")


def _holds(place: Path, data: bytes) -> bool:
    """Whether a file has these bytes; what a link points to is not its own."""
    is_file = stat.S_ISREG(os.lstat(place).st_mode)
    return is_file and place.stat().st_size == len(data) and place.read_bytes() == data
