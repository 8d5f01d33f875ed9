"""A check as one line for each finding, as editors and `grep` read it."""

from __future__ import annotations

from wellshaped.locale import ENGLISH
from wellshaped.records.check import Checked, NotChecked, Report, Swept
from wellshaped.records.finding import Finding
from wellshaped.report.formats.machine import reason, shown_file
from wellshaped.report.summary import verdict_line
from wellshaped.report.text.width import visible


def render(report: Report) -> str:
    """`train.py:58:12: WS102 column-target: headline [fails at B = 1; holds at B = 2, 8]`."""
    found = [_line(each) for each in report.findings]
    unseen = [_unseen(each) for each in report.not_checked]
    ends = [] if report.complete else [verdict_line(report)]
    return "".join(f"{line}\n" for line in [*found, *unseen, *ends])


def message(checked: Checked) -> str:
    """The headline and the batch sizes, on one line and with nothing in it to obey."""
    sizes = _sizes(checked.swept)
    return headline(checked.diagnosis.finding) + (f" [{sizes}]" if sizes else "")


def headline(finding: Finding) -> str:
    """The headline, on one line and with nothing in it that a terminal would obey."""
    return visible(ENGLISH.sentence(finding.code, "headline", finding.variant, finding.facts))


def _sizes(swept: Swept) -> str:
    named = (("fails", swept.fails), ("holds", swept.holds), ("not run", swept.not_run))
    parts = [f"{name} at B = {', '.join(map(str, sizes))}" for name, sizes in named if sizes]
    return "; ".join(parts)


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
