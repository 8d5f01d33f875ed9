"""Replaces the bytes of files: of several all or none, and each stays what it is besides bytes.

A file gets its new bytes by a rename, which is one step, where the new file can be given all that
the old one has. Where it cannot (other names of the file, another owner, a folder that takes no
new files), the bytes are written into the file itself, and a copy is kept until that is done.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wellshaped.files.backup import back_up
from wellshaped.files.dress import IS_WHOLLY_READ, Dress, dress_of, not_kept, wear, worn
from wellshaped.files.room import may_be_written
from wellshaped.files.whole import flush, remove, write_all
from wellshaped.records.fix import NotKept, WrittenFile
from wellshaped.records.phrase import UserError


class Changed(UserError):
    """A file is not what it was when it was read."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file, the bytes that it had when it was read, and those that it is to have."""

    file: str
    before: bytes
    after: bytes


def replace_all(changes: Sequence[FileChange], *, backup: bool = False) -> tuple[WrittenFile, ...]:
    """Write all changes or none, through links. Raises `UserError` where nothing was written."""
    backups: dict[Path, tuple[Path, tuple[NotKept, ...]]] = {}
    with contextlib.ExitStack() as left, contextlib.ExitStack() as undo:
        staged = []
        for change in changes:
            with _telling(change.file):
                staged.append(_Staged(change, is_alone=len(changes) == 1, left=left))
        for each in staged if backup else ():
            with _telling(each.change.file):
                data = each.change.before
                backups[each.target] = back_up(each.target, data, each.dress, undo=undo)
        # A rename needs nothing more of the disk, so it can hardly fail: those come last.
        for each in sorted(staged, key=lambda each: each.replacement is not None):
            with _telling(each.change.file):
                each.require_unchanged()
                undo.callback(each.restore)
                each.write()
        undo.pop_all()
        return tuple(_written(each, *backups.get(each.target, (None, ()))) for each in staged)


class _Staged:
    """One change with all that it needs on the disk already, so that a full one shows here."""

    def __init__(self, change: FileChange, *, is_alone: bool, left: contextlib.ExitStack) -> None:
        self.change = change
        self.target = Path(os.path.realpath(change.file))
        self.replacement: Path | None = None
        self.safety: Path | None = None
        self._is_renamed = False
        info = os.stat(self.target)
        _require_writable(self.target, info)
        self.require_unchanged()
        self.dress = dress_of(self.target)
        left.callback(self._tidy)
        if info.st_nlink == 1 and IS_WHOLLY_READ:
            self.replacement = _beside(self.target, change.after, self.dress)
        if self.replacement is None or not is_alone:
            self.safety = self._copied()

    def require_unchanged(self) -> None:
        """Raise where the file is not what it was when it was read."""
        if self.target.read_bytes() != self.change.before:
            raise Changed("WS954", "file_changed", file=self.change.file)

    def write(self) -> None:
        """Let the file have its new bytes."""
        if self.replacement is not None:
            try:
                os.replace(self.replacement, self.target)
            except OSError:  # a mount point, or a folder where owners alone may rename
                self.safety = self.safety or self._copied()
            else:
                self._is_renamed = True
                with contextlib.suppress(OSError):  # a folder that may not be read
                    flush(self.target.parent)
                return
        _overwrite(self.target, self.change.after, self.dress)

    def restore(self) -> None:
        """Let the file be what it was; where even that fails, its copy stays and is named."""
        try:
            if self._is_renamed and self.safety is not None:
                os.replace(self.safety, self.target)
            elif self.target.read_bytes() != self.change.before:
                _overwrite(self.target, self.change.before, self.dress)
        except OSError as error:
            copy, self.safety = self.safety, None
            raise UserError(
                "WS955", "not_restored", file=self.change.file, copy=str(copy)
            ) from error

    def _copied(self) -> Path:
        """What the file holds, beside it or, for its owner alone, among temporary files."""
        data = self.change.before
        found = _beside(self.target, data, self.dress)
        return found or _copy(tempfile.mkstemp(prefix=_prefix(self.target)), data)

    def _tidy(self) -> None:
        for path in (self.replacement, self.safety):
            if path is not None:
                remove(path)


def _written(each: _Staged, backup: Path | None, lost: tuple[NotKept, ...]) -> WrittenFile:
    file = each.change.file
    own = tuple(not_kept(file, each.dress, dress_of(each.target)))
    return WrittenFile(file, None if backup is None else str(backup), (*own, *lost))


@contextlib.contextmanager
def _telling(file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("WS955", "cannot_write", file=file, reason=reason) from error


def _require_writable(target: Path, info: os.stat_result) -> None:
    """Raise where a file is not one to change."""
    if not stat.S_ISREG(info.st_mode):
        raise UserError("WS955", "not_a_plain_file", file=str(target))
    if not may_be_written(target):
        raise UserError("WS955", "no_write_permission", file=str(target))


def _beside(target: Path, data: bytes, dress: Dress) -> Path | None:
    """A new file beside another, with its dress; None where it cannot be there or have that."""
    try:
        made = tempfile.mkstemp(prefix=_prefix(target), dir=target.parent)
    except PermissionError:
        return None
    path = _copy(made, data, dress)
    if dress_of(path) == dress:
        return path
    remove(path)
    return None


def _copy(made: tuple[int, str], data: bytes, dress: Dress | None = None) -> Path:
    handle, name = made
    try:
        write_all(handle, data)
        if dress is not None:
            wear(handle, dress)
        os.fsync(handle)
    except BaseException:  # an interrupt, too, must leave no half-written file
        remove(Path(name))
        raise
    finally:
        os.close(handle)
    return Path(name)


def _overwrite(target: Path, data: bytes, dress: Dress) -> None:
    """Write into a file, the part past its end first: a full disk shows before a byte changes."""
    with open(target, "r+b", buffering=0) as stream:
        handle, size = stream.fileno(), stream.seek(0, os.SEEK_END)
        write_all(handle, data[size:])
        os.fsync(handle)
        stream.seek(0)
        write_all(handle, data[:size])
        stream.truncate(len(data))
        os.fsync(handle)
        if worn(handle) != dress:  # the system takes `setuid` from a file that is written to
            wear(handle, dress)


def _prefix(target: Path) -> str:
    """Of a name that is not too long, however long that of the file is."""
    return f".{target.name[:40]}."
