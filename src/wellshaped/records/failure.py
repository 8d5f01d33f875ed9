"""Why a program could not be run: its exception, its own last frames, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Frame:
    """A line that an exception passed, as a traceback shows it."""

    file: str
    line: int
    function: str
    text: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as plain facts: those that outlive its process.

    `kinds` are the classes it is an instance of, and those of the exceptions it came from.
    `frames` are the program's own last ones, and the library's where it was raised. `module` is
    the one that was not found, `path` the file, `repository` what was asked of a hub.
    """

    type: str
    message: str
    kinds: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    module: str = ""
    path: str = ""
    repository: str = ""
    is_dataset: bool = False
    is_relative_import: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """What stopped a program; `line` is 0 where no place is known.

    `output` are the last lines that the program itself wrote to its standard error.
    """

    type: str
    message: str
    file: str = ""
    line: int = 0
    frames: tuple[Frame, ...] = ()
    output: tuple[str, ...] = ()
    remedy: Phrase | None = None
