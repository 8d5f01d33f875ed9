"""Whether a place takes new files, found out by trying before any work is done for it."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Final

from wellshaped.records.phrase import UserError

# What the smallest run writes: tables, curves, and the checkpoints of a model with few weights.
_LEAST: Final = 4_000_000
_PROBE: Final = b"\0" * 4096
_OS_ERROR: Final = re.compile(r"\(os error (\d+)\)")
_UNITS: Final = ("B", "kB", "MB", "GB", "TB")


def require_folder(folder: Path, *, inner: tuple[str, ...] = ()) -> None:
    """Raise where nothing could be written to a folder, which need not be there yet.

    `inner` are folders in it that may be there too. Nothing is left behind.
    """
    for path in (folder, *(folder / name for name in inner)):
        try:
            _try(folder, _nearest(path))
        except OSError as error:
            raise UserError(
                "WS956", "out_not_writable", folder=str(folder), reason=_reason(error)
            ) from error


def require_room(folder: Path, needed: int) -> None:
    """Raise where a checkpoint of this size does not fit."""
    free = free_bytes(folder)
    if free is not None and free < needed:
        facts = {"folder": str(folder), "needed": in_units(needed), "free": in_units(free)}
        raise UserError("WS957", "checkpoint_no_space", **facts)


def may_be_written(file: Path) -> bool:
    """Whether a file is meant to be written; root could write to any."""
    return bool(file.stat().st_mode & 0o222) and os.access(file, os.W_OK)


def why_not_writable(file: Path) -> str | None:
    """What would keep a file from being written, in the system's words; None for nothing."""
    try:
        if file.is_dir():
            return os.strerror(errno.EISDIR)
        if not file.exists():
            _probe(file.parent)
        elif not may_be_written(file):
            return os.strerror(errno.EACCES)
    except OSError as error:
        return _reason(error)
    return None


def why_not_written(error: BaseException) -> str | None:
    """The system's reason why something could not be written; None if the error has another.

    Libraries raise errors of their own while they handle the system's. Those written in Rust have
    its number in their text only, always in the same form.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno is not None:
            return os.strerror(seen.errno)
        number = _OS_ERROR.search(str(seen))
        if number:
            return os.strerror(int(number[1]))
        seen = seen.__cause__ or seen.__context__
    return None


def free_bytes(folder: Path) -> int | None:
    """What is free for us where a folder is, or will be; None where the system does not say."""
    try:
        usage = shutil.disk_usage(_nearest(folder))
    except OSError:
        return None
    return usage.free if usage.total else None


def in_units(count: int) -> str:
    """A number of bytes for people: `1.4 GB`."""
    size, unit = float(count), 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.3g} {_UNITS[unit]}"


def _try(folder: Path, place: Path) -> None:
    if not place.is_dir():
        raise UserError("WS956", "out_not_a_folder", folder=str(folder), place=str(place))
    _probe(place)
    free = free_bytes(place)
    if free is not None and free < _LEAST:
        facts = {"folder": str(folder), "needed": in_units(_LEAST), "free": in_units(free)}
        raise UserError("WS957", "out_no_space", **facts)


def _probe(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(_PROBE)


def _nearest(path: Path) -> Path:
    """The folder itself, or the first above it that is there; a dangling link is there, too."""
    path = path.absolute()
    while True:
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            path = path.parent
        else:
            return path


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
