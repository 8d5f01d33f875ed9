"""A check as workflow commands, which GitHub Actions shows beside the lines of a change."""

from __future__ import annotations

from wellshaped.records.check import Checked, NotChecked, Report
from wellshaped.records.source import cell_of
from wellshaped.report.formats.concise import message
from wellshaped.report.formats.machine import reason, shown_file
from wellshaped.report.summary import ENDS_A_RUN
from wellshaped.report.text.width import visible

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
# `%` first: the others bring one along.
_IN_MESSAGES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTIES = (*_IN_MESSAGES, (":", "%3A"), (",", "%2C"))


def render(report: Report) -> str:
    """`::error file=train.py,line=58,endLine=58,col=12,title=WS102 column-target::message`."""
    found = [_finding(each) for each in report.findings]
    unseen = [_unseen(each) for each in report.not_checked]
    return "".join(f"{line}\n" for line in found + unseen)


def _finding(checked: Checked) -> str:
    finding = checked.diagnosis.finding
    passage = finding.observation.passage
    span = passage.span
    properties = _place(passage.place.file, span.line if span else passage.place.line)
    if span and "line" in properties:
        properties["endLine"] = span.end_line
    if span and "line" in properties and span.line == span.end_line:
        properties["col"] = span.column + 1  # GitHub takes columns on one line only
    properties["title"] = f"{finding.code} {finding.name}"
    text = _in_cell(passage.place.file, passage.place.line) + message(checked)
    return _command(_COMMANDS[finding.severity], properties, text)


def _place(file: str, line: int) -> dict[str, str | int]:
    """The file and the line; of a cell the notebook alone, whose lines GitHub counts otherwise."""
    cell = cell_of(file)
    if cell is not None:
        return {"file": _file(cell[0])}
    return {**({"file": _file(file)} if file else {}), **({"line": line} if line else {})}


def _in_cell(file: str, line: int) -> str:
    cell = cell_of(file)
    return f"cell{cell[1]}:{line}: " if cell else ""


def _unseen(unseen: NotChecked) -> str:
    properties = _place(unseen.file, unseen.line)
    properties["title"] = f"{unseen.code} not checked"
    text = _in_cell(unseen.file, unseen.line) + visible(reason(unseen))
    return _command("warning" if unseen.code in ENDS_A_RUN else "notice", properties, text)


def _file(file: str) -> str:
    """The path; what can be escaped stays itself, the rest is made visible."""
    return "".join(char if char in "\r\n\t" else visible(char) for char in shown_file(file))


def _command(name: str, properties: dict[str, str | int], text: str) -> str:
    said = ",".join(f"{key}={_escaped(str(value))}" for key, value in properties.items())
    for char, code in _IN_MESSAGES:
        text = text.replace(char, code)
    return f"::{name} {said}::{text}"


def _escaped(text: str) -> str:
    for char, code in _IN_PROPERTIES:
        text = text.replace(char, code)
    return text
