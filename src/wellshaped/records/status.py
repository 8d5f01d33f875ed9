"""The exit statuses of every command that checks a program, and which one a report has."""

from __future__ import annotations

from typing import Final

from wellshaped.records.check import Report

CLEAN: Final = 0
FINDINGS: Final = 1
UNUSABLE: Final = 2  # used wrongly, or the program could not be run
INCOMPLETE: Final = 3


def status_of(report: Report, *, allow_incomplete: bool = False) -> int:
    """The status of a report: without a run of the program itself nothing else counts, and an
    incomplete check is one whatever else was seen."""
    if report.runs and report.runs[0].ended == "stopped":
        return UNUSABLE
    if not report.complete and not allow_incomplete:
        return INCOMPLETE
    return FINDINGS if report.faults else CLEAN
