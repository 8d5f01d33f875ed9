"""What a sandbox kept the program from doing, as records and as the error of a refusal."""

from __future__ import annotations

import errno
import os
import sys
import threading
from dataclasses import dataclass
from typing import Literal

from wellshaped.records.phrase import Phrase, phrase
from wellshaped.records.source import Place
from wellshaped.source.frames import is_library, user_place

_LONGEST = 200
Kind = Literal["redirected", "refused", "unwatched"]
# What helps against a refusal, by how the name of the action begins.
_REMEDIES = (
    ("socket.", "remedy_network"),
    ("os.kill", "remedy_signal"),
    (("subprocess.", "os.system", "os.exec", "os.spawn", "os.posix_spawn"), "remedy_process"),
    (("os.fork", "fork_exec", "os.startfile", "pty.", "webbrowser."), "remedy_process"),
    ("", "remedy_write"),
)


@dataclass(frozen=True, slots=True)
class Note:
    """A write that went to the scratch folder, an action that was refused, or a child process.

    `action` is the function or the audit event, `target` the file, the address or the command.
    What a child process does is `unwatched`: it is contained, and nothing is known of it.
    """

    kind: Kind
    action: str
    target: str
    place: Place

    @property
    def remedy(self) -> Phrase:
        """What lets a dry run go on where this was refused."""
        return phrase(next(name for start, name in _REMEDIES if self.action.startswith(start)))


class Refused(PermissionError):
    """The program asked for something that a dry run does not do."""

    code = "WS940"

    def __init__(self, note: Note) -> None:
        target = note.target.replace("\n", " ")[:_LONGEST]  # the remedy stays on the first line
        facts = {"action": note.action, "target": target, "remedy": note.remedy}
        place = f"{_shown(note.place.file)}:{note.place.line}"
        # The package finds the sentence, for this layer knows no words; it is always loaded.
        package = sys.modules[__name__.partition(".")[0]]
        said = package._say(phrase("refused_at", place=place, **facts))
        super().__init__(errno.EPERM, said)

    def __reduce__(self) -> tuple[type[PermissionError], tuple[object, ...]]:
        return PermissionError, self.args  # a child process sends it home without its note


def _shown(file: str) -> str:
    """The file as the user names it: relative where it lies below the working folder."""
    folder = os.path.join(os.getcwd(), "")
    return file.removeprefix(folder) if file.startswith(folder) else file


class Aside(threading.local):
    """While a thread holds this, its file calls are our own and reach the real files."""

    depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


aside = Aside()


class Notes:
    """The notes of one run, in order; a line that repeats itself is noted once."""

    def __init__(self) -> None:
        self.list: list[Note] = []
        self._seen: set[Note] = set()
        self._has_children = False

    def redirected(self, action: str, target: str) -> None:
        """Note that the program's write to `target` goes to the scratch folder."""
        self._add("redirected", action, target)

    def refused(self, action: str, target: str) -> Refused:
        """Note a refusal, and the error to raise for it."""
        with aside:
            return Refused(self._add("refused", action, target))

    def unwatched(self, action: str, count: int = 0) -> None:
        """Note that a process is started which nobody observes, or that one of `count` is."""
        with aside:
            is_again = is_library(user_place().file) and self._has_children
        if not is_again:  # a pool that makes new workers does so in a thread of its own
            self._add("unwatched", action, str(count or ""))
        self._has_children = True

    def _add(self, kind: Kind, action: str, target: str) -> Note:
        with aside:
            note = Note(kind, action, target, user_place())
        if note not in self._seen:
            self._seen.add(note)
            self.list.append(note)
        return note
