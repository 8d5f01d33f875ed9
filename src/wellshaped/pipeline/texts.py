"""A whole check or fix as the text that a reader gets, on a terminal or from a server."""

from __future__ import annotations

from typing import TextIO

from wellshaped.locale.catalogue import words
from wellshaped.pipeline import render_checked, render_mended
from wellshaped.records.check import Report
from wellshaped.records.fix import Fixed
from wellshaped.report import broadcasts, summary


def check_text(report: Report, stream: TextIO, lang: str | None = None) -> str:
    """Each finding, the broadcasts if they were asked for, and what it came to."""
    said = words(lang)
    parts = [render_checked(each, stream, lang) for each in report.findings]
    if report.broadcasts is not None:
        parts.append(broadcasts.render(report.broadcasts, said))
    return "\n".join([*parts, summary.render(report, said)])


def fix_text(fixed: Fixed, stream: TextIO, lang: str | None = None) -> str:
    """Each repair of the series by its number, what is left, and what it came to."""
    said = words(lang)
    count, left = len(fixed.mended), len(fixed.left)
    parts = []
    for place, each in enumerate(fixed.mended, 1):
        number = summary.line(said, "repair_of", number=place, count=count) + "\n\n"
        parts.append((number if count > 1 else "") + render_mended(each, stream, lang))
    parts += [render_checked(each, stream, lang) for each in fixed.left]
    return "\n".join([*parts, summary.render_series(count, left, said)])
