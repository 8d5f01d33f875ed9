"""What a check came to: each fault with its batch sizes, and what was not checked."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.broadcast import Broadcast
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.failure import Failure
from wellshaped.records.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Swept:
    """The batch sizes at which a fault shows, and those at which the call is right."""

    fails: tuple[int, ...]
    holds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A fault of the program, diagnosed, over the batch sizes of the sweep."""

    diagnosis: Diagnosis
    swept: Swept


@dataclass(frozen=True, slots=True)
class NotChecked:
    """Something the dry run did not reach or could not settle.

    `reason` is a note of the catalogue; `line` is 0 where the whole file is meant, `file` is
    empty where no place is.
    """

    code: str
    file: str
    line: int
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one `check`: `program` is the script, module or callable as it was asked.

    `broadcasts` is None where they were not asked for, `failure` where the program could be run.
    """

    program: str
    findings: tuple[Checked, ...]
    not_checked: tuple[NotChecked, ...]
    broadcasts: tuple[Broadcast, ...] | None = None
    failure: Failure | None = None
