"""Which repair comes first: proven, at the root cause, small, in the author's own style."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from wellshaped.records.diagnosis import Proposal
from wellshaped.records.finding import Finding
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage

# What says which axis goes reads better than a count of what is left.
_BY_COUNT = re.compile(r"\.(?:view|reshape)\(")
_NONE_INDEX = re.compile(r"\[(?:[^\]\[]*,\s*)?None\b")
_UNSQUEEZE = re.compile(r"\.unsqueeze\((-?\d)\)")
_INDEXED = {"0": "[None]", "1": "[:, None]", "2": "[:, :, None]", "-1": "[..., None]"}

Rank = tuple[bool, bool, int, int, int]


def rank(proposal: Proposal, finding: Finding, texts: Mapping[str, str]) -> Rank:
    """Smaller is better; `texts` are the sources the edits are made in."""
    edits = proposal.repair.edits
    return (
        proposal.evidence is None or not proposal.evidence.proven,
        not all(_at_root(edit, finding) for edit in edits),
        len(edits),
        sum(_size(edit, texts.get(edit.file, "")) for edit in edits),
        sum(bool(_BY_COUNT.search(edit.text)) for edit in edits),
    )


def _at_root(edit: Edit, finding: Finding) -> bool:
    root = finding.origin or finding.observation.passage
    return edit.file == root.place.file and _lines(root)[0] <= edit.span.line <= _lines(root)[1]


def _lines(passage: Passage) -> tuple[int, int]:
    numbers = [number for number, _ in passage.lines] or [passage.place.line]
    return min(numbers), max(numbers)


def _size(edit: Edit, text: str) -> int:
    """The characters that go and come, without what stays at either end."""
    before, after = replaced_text(edit, text), edit.text
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    before, after = before[start:], after[start:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return len(before) + len(after)


def replaced_text(edit: Edit, text: str) -> str:
    """What stands in the range of an edit; empty where it lies outside the text."""
    lines = re.split(r"\r\n|\r|\n", text)[edit.span.line - 1 : edit.span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: edit.span.end_column]
    lines[0] = lines[0][edit.span.column :]
    return "\n".join(lines)


def in_style(edit: Edit, text: str) -> Edit:
    """The edit as the author would write it: `[:, None]` in a file that never says `unsqueeze`."""
    if not _NONE_INDEX.search(text) or "unsqueeze" in text:
        return edit
    indexed = _UNSQUEEZE.sub(lambda found: _INDEXED.get(found[1], found[0]), edit.text)
    return replace(edit, text=indexed)
