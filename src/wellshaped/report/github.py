"""A check as workflow commands, which GitHub Actions shows beside the lines of a change."""

from __future__ import annotations

from wellshaped.records.check import Checked, NotChecked, Report
from wellshaped.report.cells import visible
from wellshaped.report.concise import message
from wellshaped.report.machine import shown_file

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
    properties: dict[str, str | int] = {"file": _file(passage.place.file)}
    span = passage.span
    properties["line"] = span.line if span else passage.place.line
    if span:
        properties["endLine"] = span.end_line
    if span and span.line == span.end_line:  # GitHub takes columns on one line only
        properties["col"] = span.column + 1
    properties["title"] = f"{finding.code} {finding.name}"
    return _command(_COMMANDS[finding.severity], properties, message(checked))


def _unseen(unseen: NotChecked) -> str:
    properties: dict[str, str | int] = {}
    if unseen.file:
        properties["file"] = _file(unseen.file)
    if unseen.line:
        properties["line"] = unseen.line
    properties["title"] = f"{unseen.code} not checked"
    return _command("notice", properties, visible(unseen.reason))


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
