"""A check as SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, Protocol
from urllib.parse import quote

from wellshaped.locale import ENGLISH
from wellshaped.records.check import Checked, NotChecked, Report
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.finding import Finding, Severity
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage, Span, cell_of
from wellshaped.records.status import CLEAN, FINDINGS, status_of
from wellshaped.report.compose import size_origin_text
from wellshaped.report.formats.concise import headline
from wellshaped.report.formats.machine import reason, shown_file, sizes_to_dict
from wellshaped.report.summary import ENDS_A_RUN
from wellshaped.report.text.width import visible

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas"


class Described(Protocol):
    """What is said of a rule: `diagnose.rules` has them, which reports may not import."""

    @property
    def code(self) -> str:
        """Its code, `WS102`."""

    @property
    def name(self) -> str:
        """Its name, `column-target`."""

    @property
    def severity(self) -> Severity:
        """How bad it is, unless a finding says otherwise."""

    @property
    def page(self) -> str:
        """Its `explain` page, in Markdown."""


def render(report: Report, *, rules: Iterable[Described], version: str) -> str:
    """The check as text; ASCII only, so that no file name can fail to be written."""
    return json.dumps(to_dict(report, rules=rules, version=version), indent=2) + "\n"


def to_dict(report: Report, *, rules: Iterable[Described], version: str) -> dict[str, Any]:
    """A log of one run; it names the rules that fired."""
    fired = {each.diagnosis.finding.code for each in report.findings}
    known = sorted((rule for rule in rules if rule.code in fired), key=lambda rule: rule.code)
    index = {rule.code: number for number, rule in enumerate(known)}
    driver = {"name": "wellshaped", "version": version, "rules": [_rule(each) for each in known]}
    unseen = [_notification(each) for each in report.not_checked]
    status = status_of(report)
    run = {
        "tool": {"driver": driver},
        "invocations": [
            {
                "executionSuccessful": status in (CLEAN, FINDINGS),
                "exitCode": status,
                "toolExecutionNotifications": unseen,
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, index) for each in report.findings],
    }
    return {"$schema": f"{_SCHEMA}/sarif-schema-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(rule: Described) -> dict[str, Any]:
    first, *rest = [" ".join(part.split()) for part in rule.page.split("\n\n")]
    short = re.split(r"(?<=[.!?])\s", first, maxsplit=1)[0]
    full = (rest or [first])[0].removeprefix("**What happens.** ")
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": sarif_message(short),
        "fullDescription": sarif_message(full),
        "help": {"text": _braced(rule.page), "markdown": _braced(rule.page)},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(checked: Checked, index: dict[str, int]) -> dict[str, Any]:
    finding = checked.diagnosis.finding
    passage = finding.observation.passage
    result = {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": finding.severity,
        "message": sarif_message(headline(finding)),
        "locations": [_location(passage.place.file, _region(passage))],
        "properties": sizes_to_dict(checked.swept),
    }
    related = list(_related(finding))
    if related:
        result["relatedLocations"] = related
    proposals = checked.diagnosis.offered
    fixes = [_fix(each, finding) for each in proposals if each.repair.edits]
    return {**result, "fixes": fixes} if fixes else result


def _related(finding: Finding) -> Iterator[dict[str, Any]]:
    """Where the wrong dimension comes from, and the numbers that set the sizes."""
    if finding.origin is not None:
        born = _location(finding.origin.place.file, _region(finding.origin))
        yield {**born, "message": sarif_message(ENGLISH.label("born_here").strip("()"))}
    for each in finding.origins:
        there = _location(each.passage.place.file, _region(each.passage))
        yield {**there, "message": sarif_message(size_origin_text(each, ENGLISH))}


def _notification(unseen: NotChecked) -> dict[str, Any]:
    notification: dict[str, Any] = {
        "descriptor": {"id": unseen.code},
        "level": "warning" if unseen.code in ENDS_A_RUN else "note",
        "message": sarif_message(reason(unseen)),
    }
    if unseen.file:
        region = {"startLine": unseen.line} if unseen.line else {}
        notification["locations"] = [_location(unseen.file, region)]
    return notification


def _fix(proposal: Proposal, finding: Finding) -> dict[str, Any]:
    repair = proposal.repair
    title = ENGLISH.title(finding.code, repair.title, {**finding.facts, **repair.facts})
    files = dict.fromkeys(edit.file for edit in repair.edits)
    return {
        "description": sarif_message(title),
        "artifactChanges": [_change(file, repair.edits) for file in files],
        "properties": {
            "level": repair.level,
            "proven": proposal.evidence is not None and proposal.evidence.proven,
        },
    }


def _change(file: str, edits: Iterable[Edit]) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _columns(each.span), "insertedContent": {"text": each.text}}
        for each in edits
        if each.file == file
    ]
    return {"artifactLocation": {"uri": uri(file)}, "replacements": replacements}


def _location(file: str, region: dict[str, int]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
    return {"physicalLocation": {**physical, "region": region} if region else physical}


def _region(passage: Passage) -> dict[str, int]:
    """A line alone means the whole of it."""
    return _columns(passage.span) if passage.span else {"startLine": passage.place.line}


def _columns(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }


def uri(file: str) -> str:
    """A path as a reference: relative to the working directory, or an absolute `file:` one."""
    cell = cell_of(file)
    shown = shown_file(cell[0] if cell else file)
    quoted = quote(shown, errors="backslashreplace") + (f"#cell{cell[1]}" if cell else "")
    if not PurePath(shown).is_absolute():
        return quoted
    return f"file://{quoted}" if quoted.startswith("/") else f"file:///{quoted}"


def sarif_message(text: str) -> dict[str, str]:
    """A text as SARIF reads it: nothing in it is a link or a placeholder."""
    # `x[0](1)` reads as a link (SARIF 3.11.6), which a space undoes; Python reads it the same.
    return {"text": _braced(visible(text)).replace("](", "] (")}


def _braced(text: str) -> str:
    """Braces are placeholders in every message of SARIF (3.11.5)."""
    return text.replace("{", "{{").replace("}", "}}")
