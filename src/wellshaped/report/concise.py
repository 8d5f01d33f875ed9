"""A check as one line for each finding, as editors and `grep` read it."""

from __future__ import annotations

from wellshaped.locale.catalogue import ENGLISH
from wellshaped.records.check import Checked, NotChecked, Report, Swept
from wellshaped.records.finding import Finding
from wellshaped.report.cells import visible
from wellshaped.report.machine import reason, shown_file


def render(report: Report) -> str:
    """`train.py:58:12: WS102 column-target: headline [fails at B = 1; holds at 2, 3, 8]`."""
    found = [_line(each) for each in report.findings]
    unseen = [_unseen(each) for each in report.not_checked]
    return "".join(f"{line}\n" for line in found + unseen)


def message(checked: Checked) -> str:
    """The headline and the batch sizes, on one line and with nothing in it to obey."""
    sizes = _sizes(checked.swept)
    return headline(checked.diagnosis.finding) + (f" [{sizes}]" if sizes else "")


def headline(finding: Finding) -> str:
    """The headline, on one line and with nothing in it that a terminal would obey."""
    return visible(ENGLISH.sentence(finding.code, "headline", finding.variant, finding.facts))


def _sizes(swept: Swept) -> str:
    fails, holds = (", ".join(map(str, sizes)) for sizes in (swept.fails, swept.holds))
    if fails and holds:
        return f"fails at B = {fails}; holds at {holds}"
    return f"fails at B = {fails}" if fails else f"holds at B = {holds}" if holds else ""


def _line(checked: Checked) -> str:
    finding = checked.diagnosis.finding
    passage = finding.observation.passage
    line, column = passage.place.line, 0
    if passage.span:
        line, column = passage.span.line, passage.span.column
    file = visible(shown_file(passage.place.file))
    return f"{file}:{line}:{column + 1}: {finding.code} {finding.name}: {message(checked)}"


def _unseen(unseen: NotChecked) -> str:
    line = f":{unseen.line}:1" if unseen.line else ""
    place = f"{visible(shown_file(unseen.file))}{line}: " if unseen.file else ""
    return f"{place}{unseen.code} not checked: {visible(reason(unseen))}"
