"""A check as JSON for other programs; `schema/check-v2.json` describes it.

Version 1, which knew fewer repairs and called a choice a suggestion, is written on request.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wellshaped.locale import ENGLISH
from wellshaped.records.broadcast import Broadcast, by_suspicion
from wellshaped.records.certificate import Certificate, KeptRelation
from wellshaped.records.check import Checked, NotChecked, Report, SizeRun, Swept
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.evidence import HARMFUL, Outcome
from wellshaped.records.failure import Failure, Frame
from wellshaped.records.finding import SizeOrigin
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage, Place, Span
from wellshaped.records.status import status_of
from wellshaped.report.compose import choice_words

VERSION = 2
VERSIONS = (1, 2)
_NEW_IN_2 = ("lossless", "alone", "means", "right_if", "number", "runs")
_FAILS: frozenset[Outcome] = frozenset({"refused", "differs", *HARMFUL})


def render(report: Report, *, version: int = VERSION) -> str:
    """The check as text; ASCII only, so that no file name can fail to be written."""
    return json.dumps(to_dict(report, version=version), indent=2) + "\n"


def to_dict(report: Report, *, version: int = VERSION) -> dict[str, Any]:
    """The check as plain data, its keys in the order of the schema."""
    said: dict[str, Any] = {
        "version": version,
        "program": report.program,
        "status": status_of(report),
        "complete": report.complete,
        "runs": [_run(each) for each in report.runs],
        "findings": [finding_to_dict(each, version=version) for each in report.findings],
        "not_checked": [_not_checked(each) for each in report.not_checked],
    }
    if report.failure is not None:
        said["failure"] = _failure(report.failure)
    if report.broadcasts is not None:
        said["broadcasts"] = [_broadcast(each) for each in by_suspicion(report.broadcasts)]
    if report.certificate is not None and version > 1:
        said["certificate"] = certificate_to_dict(report.certificate)
    return said


def certificate_to_dict(certificate: Certificate) -> dict[str, Any]:
    """The relations of a training step as plain data."""
    return {
        "rows": certificate.rows or None,
        "relations": [_kept(each) for each in certificate.relations],
    }


def _kept(kept: KeptRelation) -> dict[str, Any]:
    passage = kept.passage
    return {
        "relation": kept.relation,
        "standing": kept.standing,
        "reason": kept.reason.name if kept.reason else None,
        "by_design": kept.by_design,
        "file": shown_file(passage.place.file) if passage else None,
        "line": passage.place.line if passage else None,
        "expression": (passage.text or None) if passage else None,
        "operation": kept.operation or None,
    }


def shown_file(file: str) -> str:
    """A path from the working directory if it lies below, else absolute; forward slashes."""
    if not file or (file.startswith("<") and file.endswith(">")):
        return file
    try:
        here = os.getcwd()
        path = os.path.normpath(os.path.join(here, file))
        # As it was named first: a link below may lead outside. Then by where it really is: the
        # working directory may itself stand behind a link.
        real = os.path.realpath(path)
        for known, folder in ((path, here), (real, os.path.realpath(here))):
            if Path(known).is_relative_to(folder):
                return Path(known).relative_to(folder).as_posix()
        return Path(path).as_posix()
    except (OSError, ValueError):  # the working directory is gone, or the name is no file's
        return Path(file).as_posix()


def finding_to_dict(checked: Checked, *, version: int = VERSION) -> dict[str, Any]:
    """One fault as plain data."""
    diagnosis = checked.diagnosis
    finding = diagnosis.finding
    repairs = diagnosis.proposals if version == 1 else diagnosis.offered
    observation = finding.observation
    origins = {} if version == 1 else {"origins": [_size_origin(each) for each in finding.origins]}
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "file": shown_file(observation.passage.place.file),
        **_range(_span(observation.passage)),
        "origin": _origin(finding.origin),
        **origins,
        "loss": _loss(observation),
        "tensors": [_tensor(each) for each in observation.operands],
        "batch_sizes": sizes_to_dict(checked.swept),
        "repairs": [repair_to_dict(each, version=version) for each in repairs],
    }


def sizes_to_dict(swept: Swept) -> dict[str, list[int]]:
    """The batch sizes of a finding: where its line fails, holds, and was never run."""
    return {
        "fails": list(swept.fails),
        "holds": list(swept.holds),
        "not_run": list(swept.not_run),
    }


def _run(run: SizeRun) -> dict[str, Any]:
    place = run.place
    return {
        "batch_size": run.batch,
        "met": list(run.met),
        "ended": run.ended,
        "code": run.code or None,
        "cause": run.cause or None,
        "file": shown_file(place.file) if place else None,
        "line": place.line if place else None,
        "shortened": run.shortened,
        "passed_over": [{"file": shown_file(at.file), "line": at.line} for at in run.passed_over],
    }


def _span(passage: Passage) -> Span:
    """Where a passage stands; the start of its line where no more is known."""
    line = passage.place.line
    return passage.span or Span(line, 0, line, 0)


def _range(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
    }


def _origin(passage: Passage | None) -> dict[str, Any] | None:
    if passage is None:
        return None
    span = _span(passage)
    return {
        "file": shown_file(passage.place.file),
        "line": span.line,
        "column": span.column + 1,
    }


def _size_origin(origin: SizeOrigin) -> dict[str, Any]:
    return {
        "size": origin.size,
        "name": origin.name,
        "dim": origin.dim,
        "value": origin.value,
        "place": _origin(origin.passage),
        "path": [{"file": shown_file(each.file), "line": each.line} for each in origin.path],
    }


def _loss(observation: Observation) -> str | None:
    return observation.callee if observation.kind in ("loss", "backward") else None


def _tensor(operand: Operand) -> dict[str, Any]:
    return {
        "name": operand.role,
        "expression": operand.passage.text if operand.passage else "",
        "shape": list(operand.fact.shape) if operand.fact else None,
        "dtype": operand.fact.dtype if operand.fact else None,
    }


def repair_to_dict(proposal: Proposal, *, version: int = VERSION) -> dict[str, Any]:
    """One proposed repair as plain data."""
    repair, evidence = proposal.repair, proposal.evidence
    trials = evidence.trials if evidence else ()
    means, right_if = choice_words(repair) or (None, None)
    said = {
        "title": repair.title,
        "level": repair.level,
        "lossless": repair.lossless,
        "alone": repair.alone,
        "means": means,
        "right_if": right_if,
        "number": proposal.number or None,
        "runs": proposal.runs,
        "edits": [_edit(each) for each in repair.edits],
        "proven": evidence is not None and evidence.proven,
        "batch_sizes": {
            "equal": [each.batch for each in trials if each.outcome == "equal"],
            "fails": [each.batch for each in trials if each.outcome in _FAILS],
        },
        **({"stops": _stops(*proposal.stops)} if proposal.stops else {}),
    }
    if version == 1:
        said = {name: value for name, value in said.items() if name not in _NEW_IN_2}
        said["level"] = "suggestion" if repair.level == "choice" else repair.level
    return said


def _stops(code: str, place: Place) -> dict[str, Any]:
    return {"code": code, "file": shown_file(place.file), "line": place.line}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"file": shown_file(edit.file), **_range(edit.span), "text": edit.text}


def _not_checked(unseen: NotChecked) -> dict[str, Any]:
    return {
        "code": unseen.code,
        "file": shown_file(unseen.file),
        "line": unseen.line,
        "reason": reason(unseen),
    }


def reason(unseen: NotChecked) -> str:
    """Why something was not checked, in English: other programs read it."""
    return ENGLISH.note(unseen.reason.name, unseen.reason.facts)


def _failure(failure: Failure) -> dict[str, Any]:
    """Why the program could not be run; the remedy is in English: other programs read it."""
    remedy = failure.remedy
    return {
        "type": failure.type,
        "message": failure.message,
        "file": shown_file(failure.file) if failure.file else None,
        "line": failure.line or None,
        "frames": [_frame(each) for each in failure.frames],
        "output": list(failure.output),
        "remedy": ENGLISH.phrase(remedy) if remedy else None,
    }


def _frame(frame: Frame) -> dict[str, Any]:
    file = shown_file(frame.file)
    return {"file": file, "line": frame.line, "function": frame.function, "text": frame.text}


def _broadcast(broadcast: Broadcast) -> dict[str, Any]:
    span = _span(broadcast.passage)
    return {
        "suspicion": broadcast.suspicion,
        "file": shown_file(broadcast.passage.place.file),
        **_range(span),
        "operation": broadcast.operation,
        "expression": broadcast.passage.text,
        "shapes": [list(shape) for shape in broadcast.shapes],
        "result": list(broadcast.result),
        "count": broadcast.count,
    }
