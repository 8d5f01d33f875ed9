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


def draft_of(path: Path) -> Path:
    """The name under which a file or folder is written."""
    return path.with_name(f"{_DRAFT}{path.name}")


@contextlib.contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """The place to write a file or folder at; it gets its own name at the end, if it is written."""
    draft = draft_of(path)
    remove(draft)
    try:
        yield draft
        if draft.is_dir():
            for each in draft.rglob("*"):
                flush(each)
        flush(draft)
        draft.replace(path)
        flush(path.parent)
    finally:  # an interrupt, too, must leave none
        remove(draft)


def publish_text(path: Path, text: str) -> None:
    """Write a small file so that it is there whole, or as it was before."""
    with drafted(path) as draft:
        draft.write_text(text, encoding="utf-8")


def clear_drafts(folder: Path) -> None:
    """Remove what a killed process left in a folder."""
    for left in folder.glob(f"{_DRAFT}*"):
        remove(left)


def remove(path: Path) -> None:
    """Take away a file or a folder, if it is there and as far as that is possible."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
