"""A series of repairs for other programs: JSON (`schema/fix-v2.json`), and SARIF."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from wellshaped.locale import ENGLISH
from wellshaped.records.evidence import Trial
from wellshaped.records.fix import ChangedFile, FixResult, RepairedFault, Size, WrittenFile
from wellshaped.report.formats import machine, sarif

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def render_json(fixed: FixResult, *, version: int = machine.VERSION) -> str:
    """The check the search began with, and a part `fixes`; ASCII only."""
    return json.dumps(to_dict(fixed, version=version), indent=2) + "\n"


def to_dict(fixed: FixResult, *, version: int = machine.VERSION) -> dict[str, Any]:
    """The fix as plain data, its keys in the order of the schema."""
    return {
        **machine.to_dict(fixed.report, version=version),
        "fixes": {
            "repairs": [_mended(each, version) for each in fixed.mended],
            "left": [machine.finding_to_dict(each, version=version) for each in fixed.left],
            "files": [_file(each) for each in fixed.changed],
            "written": fixed.applied.count if fixed.applied else 0,
            "written_files": [
                _written(each) for each in (fixed.applied.files if fixed.applied else ())
            ],
        },
    }


def _mended(mended: RepairedFault, version: int) -> dict[str, Any]:
    return {
        "finding": machine.finding_to_dict(mended.checked, version=version),
        "repair": machine.repair_to_dict(mended.proposal, version=version),
        "diff": [{"sign": sign, "text": text} for sign, text in mended.proposal.lines],
        "batch_sizes": [_size(each) for each in mended.sizes],
        "rejected": [
            {"text": each.text, "fails": [trial.batch for trial in _broken(each.evidence.trials)]}
            for each in mended.checked.diagnosis.wrong
        ],
    }


def _broken(trials: Iterable[Trial]) -> Iterator[Trial]:
    return (each for each in trials if each.outcome != "equal")


def _size(size: Size) -> dict[str, Any]:
    names = {None: "unknown", True: "holds", False: "fails"}
    return {"batch": size.batch, "before": names[size.before], "after": names[size.after]}


def _file(changed: ChangedFile) -> dict[str, Any]:
    """The lines of a file that go, by their numbers as stored, and what comes there."""
    return {
        "file": machine.shown_file(changed.file),
        "changes": [
            {"line": start + 1, "lines": end - start, "text": text}
            for start, end, text in changes(changed)
        ],
    }


def _written(written: WrittenFile) -> dict[str, Any]:
    backup = written.backup
    return {
        "file": machine.shown_file(written.file),
        "backup": None if backup is None else machine.shown_file(backup),
        "not_kept": [
            {
                "what": each.what,
                "file": machine.shown_file(each.file),
                "before": each.before,
                "after": each.after,
            }
            for each in written.not_kept
        ],
    }


def changes(changed: ChangedFile) -> Iterator[tuple[int, int, str]]:
    """Which lines of a file go, from 0 and end exclusive, and the text that comes there."""
    before, after = _LINE.findall(changed.before), _LINE.findall(changed.after)
    matcher = difflib.SequenceMatcher(None, before, after, False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            yield start, end, "".join(after[new_start:new_end])


def render_sarif(fixed: FixResult, *, rules: Iterable[sarif.Described], version: str) -> str:
    """A log whose results are the faults; the fix of each is that of the whole series.

    Edits of a series stand on each other, so that none of them could be applied by itself.
    """
    findings = (*(each.checked for each in fixed.mended), *fixed.left)
    report = replace(fixed.report, findings=findings)
    log = sarif.to_dict(report, rules=rules, version=version)
    for result, mended in zip(log["runs"][0]["results"], fixed.mended, strict=False):
        result["fixes"] = [_fix(mended, fixed)]
    return json.dumps(log, indent=2) + "\n"


def _fix(mended: RepairedFault, fixed: FixResult) -> dict[str, Any]:
    finding, repair = mended.checked.diagnosis.finding, mended.proposal.repair
    title = ENGLISH.title(finding.code, repair.title, {**finding.facts, **repair.facts})
    return {
        "description": sarif.sarif_message(title),
        "artifactChanges": [_artifact(each) for each in fixed.changed],
        "properties": {"level": repair.level, "proven": True},
    }


def _artifact(changed: ChangedFile) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": start + 1,
                "startColumn": 1,
                "endLine": end + 1,
                "endColumn": 1,
            },
            "insertedContent": {"text": text},
        }
        for start, end, text in changes(changed)
    ]
    return {"artifactLocation": {"uri": sarif.uri(changed.file)}, "replacements": replacements}
