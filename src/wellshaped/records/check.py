"""What a check came to: each fault with its batch sizes, each run, and what was not checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellshaped.records.broadcast import Broadcast
from wellshaped.records.certificate import Certificate
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.failure import Failure
from wellshaped.records.phrase import Phrase
from wellshaped.records.source import Place

# finished: to its end; failed: stopped by a fault that is among the findings; stopped: by another
# exception; late: by the budget; waited: for it used little CPU time in a long time; died: killed,
# crashed, or ended by `os._exit`.
Ended = Literal["finished", "failed", "stopped", "late", "waited", "died"]


@dataclass(frozen=True, slots=True)
class Swept:
    """The batch sizes at which a line fails, at which it is right, and at which it never ran."""

    fails: tuple[int, ...]
    holds: tuple[int, ...]
    not_run: tuple[int, ...] = ()


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
class SizeRun:
    """One run of a check: the batch size it was for (None: the program's own), and its end.

    `met` are the batch sizes that came. `place` is the user's line where it stopped, `code` what
    it stopped by: that of a finding, or of a note; `cause` the exception or the signal, as text.
    `passed_over` are calls that refuse a batch of one row by design, after which the run went on.
    """

    batch: int | None
    met: tuple[int, ...] = ()
    ended: Ended = "finished"
    place: Place | None = None
    code: str = ""
    cause: str = ""
    shortened: bool = False
    passed_over: tuple[Place, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it ran to its end, or to a fault that is reported."""
        return self.ended in ("finished", "failed")


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one `check`: `program` is the script, module or callable as it was asked.

    `broadcasts` is None where they were not asked for, `failure` where the program could be run.
    `runs` are all runs, the program's own first; `certificate` is that of a training step, where
    one was asked for.
    """

    program: str
    findings: tuple[Checked, ...]
    not_checked: tuple[NotChecked, ...]
    broadcasts: tuple[Broadcast, ...] | None = None
    runs: tuple[SizeRun, ...] = ()
    failure: Failure | None = None
    certificate: Certificate | None = None

    @property
    def complete(self) -> bool:
        """Whether every run came to its end, or to a fault that is reported."""
        return all(run.complete for run in self.runs)

    @property
    def faults(self) -> tuple[Checked, ...]:
        """The findings that are more than notes."""
        return tuple(each for each in self.findings if each.diagnosis.finding.severity != "note")
