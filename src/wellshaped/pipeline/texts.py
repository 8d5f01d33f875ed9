"""A whole check or fix as the text that a reader gets, on a terminal or from a server."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import Final, TextIO

from wellshaped.execute.sandbox.kernel.confinement import CODE
from wellshaped.locale import words
from wellshaped.pipeline.picture import of_checked, of_mended
from wellshaped.records.check import Checked, Report
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.fix import FixResult, RepairedFault
from wellshaped.records.flow import Pictured
from wellshaped.report import summary
from wellshaped.report.compose import compose
from wellshaped.report.text import broadcasts
from wellshaped.report.text import flow as flows
from wellshaped.report.text.terminal import render, should_color, should_link

# A picture gains by room, text does not: the picture alone takes that of a wide terminal.
_USUAL: Final = 80
_WIDEST: Final = 140


def check_text(
    report: Report, stream: TextIO, lang: str | None = None, *, show: bool = False
) -> str:
    """Each finding, the broadcasts if they were asked for, and what it came to.

    With `show` the shape flow to each fault is drawn below it.
    """
    said = words(lang)
    parts = [
        render_checked(each, stream, lang) + (drawn(of_checked(each), stream, lang) if show else "")
        for each in report.findings
    ]
    if report.broadcasts is not None:
        parts.append(broadcasts.render(report.broadcasts, said))
    return "\n".join([*parts, summary.render(report, said)])


def fix_text(
    fixed: FixResult, stream: TextIO, lang: str | None = None, *, show: bool = False
) -> str:
    """Each repair of the series by its number, what is left, and what it came to."""
    said = words(lang)
    count = len(fixed.mended)
    parts = []
    for place, each in enumerate(fixed.mended, 1):
        number = summary.line(said, "repair_of", number=place, count=count) + "\n\n"
        flow = drawn(of_mended(each), stream, lang) if show else ""
        parts.append((number if count > 1 else "") + render_mended(each, stream, lang) + flow)
    for left_over in fixed.left:
        flow = drawn(of_checked(left_over), stream, lang) if show else ""
        parts.append(render_checked(left_over, stream, lang) + flow)
    ends = "" if fixed.complete else summary.render(fixed.report, said)
    if fixed.complete:  # a report that is shown has its notes
        ends += "".join(f"{line}\n" for line in unconfined(fixed.report, lang))
    if fixed.complete or fixed.mended or fixed.left:  # of what did not run nothing is known
        ends += summary.render_series(fixed, said)
    return "\n".join([*parts, ends])


def unconfined(report: Report, lang: str | None = None) -> list[str]:
    """The note that the kernel did not confine the program, where it did not."""
    notes = [each for each in report.not_checked if each.code == CODE]
    return [summary.note_line(each, words(lang)) for each in notes]


def drawn(shown: Pictured, stream: TextIO, lang: str | None = None) -> str:
    """The shape flow to a fault, a blank line before it; empty where nothing is known."""
    color = should_color(stream, environ=os.environ)
    text = flows.render(shown.flow, words(lang), width=_width(stream), color=color)
    return f"\n{text}" if text else ""


def _width(stream: TextIO) -> int:
    columns = shutil.get_terminal_size().columns if stream.isatty() else _USUAL
    return min(max(columns, _USUAL), _WIDEST)


def render_checked(checked: Checked, stream: TextIO, lang: str | None = None) -> str:
    """One finding of a check, with the batch sizes at which it fails and holds."""
    return render(
        compose(checked.diagnosis, checked.swept, words=words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )


def render_mended(mended: RepairedFault, stream: TextIO, lang: str | None = None) -> str:
    """A finding whose repair was proven on the whole program."""
    shown = replace(mended.checked.diagnosis, proposals=(mended.proposal,))
    return render(
        compose(shown, mended.checked.swept, mended.sizes, words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )


def rendered(diagnosis: Diagnosis, lang: str | None) -> str:
    """One diagnosis for the terminal, as it stands beside the program's own errors."""
    stream = sys.stderr
    return render(
        compose(diagnosis, words=words(lang)),
        color=should_color(stream, environ=os.environ),
        links=should_link(stream, environ=os.environ),
    )
