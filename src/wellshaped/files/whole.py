"""Files and folders that are there whole, or as they were before: written as drafts, then renamed.

A draft is removed when its writing fails, and by the next run where the process was killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wellshaped.files.room import why_not_written
from wellshaped.records.phrase import UserError

_DRAFT: Final = ".draft-"


def flush(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write to an open file; the system may take less than all at once."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


class NotWritten(UserError):
    """A file could not be written; it is not there, or as it was before."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__("WS957", "file_not_written", file=str(path), reason=reason)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise `NotWritten` for what the system does not let us write, whoever reports it."""
    try:
        yield
    except Exception as error:
        reason = why_not_written(error)
        if isinstance(error, UserError) or reason is None:
            raise
        raise NotWritten(path, reason) from error


@contextlib.contextmanager
def drafting(path: Path) -> Iterator[Path]:
    """A place beside a file or folder to write it at first; nothing is there afterwards."""
    draft = path.with_name(f"{_DRAFT}{path.name}")
    remove(draft)
    try:
        with writing(path):
            yield draft
    finally:  # an interrupt, too, must leave none
        remove(draft)


@contextlib.contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """The same, and what was written there gets the name of the file or folder itself."""
    with drafting(path) as draft:
        yield draft
        if draft.is_dir():
            for each in draft.rglob("*"):
                flush(each)
        flush(draft)
        if path.is_dir():
            remove_whole(path)
        draft.replace(path)
        flush(path.parent)


def publish_text(path: Path, text: str) -> None:
    """Write a small file so that it is there whole, or as it was before."""
    with drafted(path) as draft:
        draft.write_text(text, encoding="utf-8")


def append_text(path: Path, text: str) -> None:
    """Add to the end of a file all of a text, or nothing."""
    with writing(path), open(path, "ab", buffering=0) as stream:
        size = stream.seek(0, os.SEEK_END)
        try:
            write_all(stream.fileno(), text.encode())
        except BaseException:  # an interrupt, too, must not leave half of the text
            stream.truncate(size)
            raise


def clear_drafts(folder: Path) -> None:
    """Remove what a killed process left in a folder."""
    for left in folder.glob(f"{_DRAFT}*"):
        remove(left)


def remove_whole(folder: Path) -> None:
    """Take the name away first: what is half removed must not pass for whole."""
    gone = folder.with_name(f"{_DRAFT}gone-{folder.name}")
    remove(gone)
    folder.rename(gone)
    remove(gone)


def remove(path: Path) -> None:
    """Take away a file or a folder, if it is there and as far as that is possible."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
