"""What a search for repairs came to: each fault with its proven repair, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellshaped.records.check import Checked, Report
from wellshaped.records.diagnosis import Proposal


@dataclass(frozen=True, slots=True)
class Size:
    """A batch size, and whether the program was right there: True, False, None for unknown."""

    batch: int
    before: bool | None
    after: bool | None


@dataclass(frozen=True, slots=True)
class RepairedFault:
    """A fault and its repair: on the source as the repairs before it left it."""

    checked: Checked
    proposal: Proposal
    sizes: tuple[Size, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file before and after all repairs; `encoding` is that of its bytes."""

    file: str
    before: str
    after: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class NotKept:
    """What a file lost when it was written: how it was, and how it is now."""

    what: Literal["owner", "mode", "attribute"]
    file: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that was written, where its bytes before that are, and what could not be kept."""

    file: str
    backup: str | None = None
    not_kept: tuple[NotKept, ...] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """How many repairs of a series were written, from its first on, and to which files.

    `failed` is whether the files could not be written.
    """

    count: int
    files: tuple[WrittenFile, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class FixResult:
    """The outcome of one `fix`: the check it began with, a series of repairs, and the rest.

    `complete` is whether the checks of the program, as it was and repaired, came to their end;
    `applied` is None where nothing was to be written.
    """

    report: Report
    mended: tuple[RepairedFault, ...]
    left: tuple[Checked, ...]
    changed: tuple[ChangedFile, ...] = ()
    complete: bool = True
    applied: Applied | None = None
