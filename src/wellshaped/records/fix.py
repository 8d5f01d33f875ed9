"""What a search for repairs came to: each fault with its proven repair, and what is left."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.check import Checked, Report
from wellshaped.records.diagnosis import Proposal


@dataclass(frozen=True, slots=True)
class Size:
    """A batch size, and whether the program was right there: True, False, None for unknown."""

    batch: int
    before: bool | None
    after: bool | None


@dataclass(frozen=True, slots=True)
class Mended:
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
class Applied:
    """How many repairs of a series were written, from its first on, and to which files.

    `failed` is whether the files could not be written.
    """

    count: int
    files: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Fixed:
    """The outcome of one `fix`: the check it began with, a series of repairs, and the rest.

    `applied` is None where nothing was to be written.
    """

    report: Report
    mended: tuple[Mended, ...]
    left: tuple[Checked, ...]
    changed: tuple[ChangedFile, ...] = ()
    applied: Applied | None = None
