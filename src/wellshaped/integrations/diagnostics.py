"""From a search to what editors show: diagnostics by file, and the edits of quick fixes.

Columns are counted in characters here; the server turns them into the client's units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from lsprotocol import types
from pygls.uris import from_fs_path

from wellshaped.locale import Words, in_one_language
from wellshaped.records.check import Checked, NotChecked, Report
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.finding import Finding
from wellshaped.records.fix import FixResult, RepairedFault
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage, Span
from wellshaped.report.compose import size_origin_text, sizes_text
from wellshaped.report.formats.fixes import changes

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_SOURCE = "wellshaped"

Edits = dict[str, list[types.TextEdit]]


@dataclass(frozen=True, slots=True)
class Action:
    """A quick fix: where its fault stands, what it does, and whether the program proved it."""

    title: str
    range: types.Range
    proven: bool


def diagnostics(report: Report, said: Words) -> dict[str, list[types.Diagnostic]]:
    """What a report says of each file; of lines that were not checked, that they were not."""
    found: dict[str, list[types.Diagnostic]] = {}
    for each in report.findings:
        file = each.diagnosis.finding.observation.passage.place.file
        found.setdefault(file, []).append(_of_finding(each, said))
    for note in report.not_checked:
        if note.file and note.line:
            found.setdefault(note.file, []).append(_of_note(note, said))
    return found


def actions(fixed: FixResult, file: str, said: Words) -> Iterator[tuple[Action, Edits]]:
    """The quick fixes for the faults of one file: proven ones first."""
    series = {_key(each.checked): each for each in fixed.mended}
    for checked in fixed.report.findings:
        finding = checked.diagnosis.finding
        passage = finding.observation.passage
        if passage.place.file != file:
            continue
        where, mended = _range(_span(passage)), series.get(_key(checked))
        if mended is not None:
            title = _title(finding, mended.proposal, said)
            if len(fixed.mended) > 1:
                title = _in_series(title, len(fixed.mended), said)
            yield Action(title, where, proven=True), _edits_of_series(fixed, mended)
        for proposal in () if mended else checked.diagnosis.offered:
            if proposal.repair.edits:
                title = _title(finding, proposal, said)
                yield Action(title, where, proven=False), _edits(proposal.repair.edits)


def _key(checked: Checked) -> tuple[str, str, int]:
    place = checked.diagnosis.finding.observation.passage.place
    return checked.diagnosis.finding.code, place.file, place.line


def _edits_of_series(fixed: FixResult, mended: RepairedFault) -> Edits:
    """The edits of one repair; of several, which stand on each other, what they come to."""
    if len(fixed.mended) == 1:
        return _edits(mended.proposal.repair.edits)
    return {
        each.file: [types.TextEdit(_lines(start, end), text) for start, end, text in changes(each)]
        for each in fixed.changed
    }


def _edits(edits: tuple[Edit, ...]) -> Edits:
    found: Edits = {}
    for each in dict.fromkeys(edits):
        found.setdefault(each.file, []).append(types.TextEdit(_range(each.span), each.text))
    return found


def _title(finding: Finding, proposal: Proposal, said: Words) -> str:
    repair = proposal.repair
    facts = {**finding.facts, **repair.facts}

    def text(each: Words) -> str:
        title = each.title(finding.code, repair.title, facts)
        return f"{title} [{each.label(repair.level.replace(' ', '_'))}]"

    return in_one_language(said, text)


def _in_series(title: str, count: int, said: Words) -> str:
    return in_one_language(said, lambda each: each.label("with_others", title=title, count=count))


def _of_finding(checked: Checked, said: Words) -> types.Diagnostic:
    finding = checked.diagnosis.finding
    return types.Diagnostic(
        _range(_span(finding.observation.passage)),
        in_one_language(said, lambda each: _message(checked, each)),
        _SEVERITIES[finding.severity],
        finding.code,
        source=_SOURCE,
        related_information=list(_related(finding, said)) or None,
    )


def _message(checked: Checked, said: Words) -> str:
    finding = checked.diagnosis.finding
    texts = [
        said.sentence(finding.code, slot, finding.variant, finding.facts)
        for slot in ("headline", "why")
    ]
    if checked.swept.fails:
        texts.append(sizes_text(checked.swept, said))
    return "\n".join(filter(None, texts))


def _related(finding: Finding, said: Words) -> Iterator[types.DiagnosticRelatedInformation]:
    """Where the wrong axis comes from; its columns are those of Python, near enough to go to."""
    origin = finding.origin
    if origin is not None and origin.place != finding.observation.passage.place:
        where = types.Location(from_fs_path(origin.place.file) or "", _range(_span(origin)))
        text = in_one_language(said, lambda each: each.label("born_here").strip("()"))
        yield types.DiagnosticRelatedInformation(where, text)
    for each in finding.origins:
        file = from_fs_path(each.passage.place.file) or ""
        where = types.Location(file, _range(_span(each.passage)))
        text = in_one_language(said, partial(size_origin_text, each))
        yield types.DiagnosticRelatedInformation(where, text)


def _of_note(note: NotChecked, said: Words) -> types.Diagnostic:
    text = in_one_language(said, lambda each: each.note(note.reason.name, note.reason.facts))
    where = _lines(note.line - 1, note.line)
    return types.Diagnostic(where, text, types.DiagnosticSeverity.Hint, note.code, source=_SOURCE)


def _span(passage: Passage) -> Span:
    """Where a passage stands; the whole line where no more is known."""
    line = passage.place.line
    return passage.span or Span(line, 0, line + 1, 0)


def _range(span: Span) -> types.Range:
    start = types.Position(span.line - 1, span.column)
    return types.Range(start, types.Position(span.end_line - 1, span.end_column))


def _lines(start: int, end: int) -> types.Range:
    return types.Range(types.Position(start, 0), types.Position(end, 0))
