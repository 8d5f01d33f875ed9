"""What a sandbox kept the program from doing, as records and as the error of a refusal."""

from __future__ import annotations

import errno
import threading
from dataclasses import dataclass
from typing import Literal

from wellshaped.observe.frames import user_place
from wellshaped.records.source import Place


@dataclass(frozen=True, slots=True)
class Note:
    """A write that went to the scratch folder, or an action that was refused, and whose it was.

    `action` is the function or the audit event, `target` the file, the address or the command.
    """

    kind: Literal["redirected", "refused"]
    action: str
    target: str
    place: Place


class Refused(PermissionError):
    """The program asked for something that a dry run does not do."""

    code = "WS940"

    def __init__(self, action: str, target: str) -> None:
        super().__init__(errno.EPERM, f"the dry run refuses `{action}`: {target}")


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

    def redirected(self, action: str, target: str) -> None:
        """Note that the program's write to `target` goes to the scratch folder."""
        self._add("redirected", action, target)

    def refused(self, action: str, target: str) -> Refused:
        """Note a refusal, and the error to raise for it."""
        self._add("refused", action, target)
        return Refused(action, target)

    def _add(self, kind: Literal["redirected", "refused"], action: str, target: str) -> None:
        with aside:
            note = Note(kind, action, target, user_place())
        if note not in self._seen:
            self._seen.add(note)
            self.list.append(note)
