"""The end of a check as text: what was not checked, and how many faults there are."""

from __future__ import annotations

from wellshaped.records.check import NotChecked, Report
from wellshaped.report.compose import shown_path

_MOST_UNREACHED = 5


def render(report: Report) -> str:
    """A line for each thing that was not checked, then the number of findings."""
    lines = [f"note[{each.code}]: {_where(each)}{each.reason}" for each in _shown(report)]
    hidden = len(report.not_checked) - len(lines)
    if hidden:
        lines.append(f"note[WS905]: {hidden} more places not reached; `--format json` lists all")
    count = len(report.findings)
    lines.append("no shape mistakes found" if count == 0 else f"{count} found")
    return "\n".join(lines) + "\n"


def _shown(report: Report) -> list[NotChecked]:
    """All notes, but of the places that were not reached the first few."""
    unreached = [each for each in report.not_checked if each.code == "WS905"]
    return [each for each in report.not_checked if each not in unreached[_MOST_UNREACHED:]]


def _where(note: NotChecked) -> str:
    return f"{shown_path(note.file)}:{note.line}: " if note.file else ""
