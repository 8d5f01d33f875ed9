"""Repairs as a unified diff, which `git apply` and `patch -p1` take."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath

from wellshaped.records.check import Report
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.fix import ChangedFile
from wellshaped.records.repair import Edit
from wellshaped.report.formats.machine import shown_file

_BOM = "\ufeff"
_SOURCE_LINE = re.compile(r"[^\r\n]*(\r\n?|\n?)")
_NEWLINE = re.compile(r"\r\n?|\n")
_PATCH_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# What git quotes, and what moves the cursor or reorders text besides.
_UNSAFE_NAME = re.compile(
    r'["\\\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\udc80-\udcff]'
)


@dataclass(frozen=True, slots=True)
class _Swap:
    """Characters [start, end) of a file's text, and what stands there instead."""

    file: str
    start: int
    end: int
    text: str


def render(given: Report | Iterable[Proposal], sources: Mapping[str, str]) -> str:
    """One diff for all repairs, to be applied in the working directory.

    `sources` are texts by the file names of the edits, as they are stored: line endings and
    byte order mark kept. Of a report, each finding gives its first repair that may be applied.
    A repair is left out whole if it overlaps one before it, if its spans are not those of the
    text, or if its file has no text or lies outside the working directory.
    """
    proposals = _to_apply(given) if isinstance(given, Report) else given
    swaps = _chosen(proposals, sources)
    texts = {shown_file(file): text for file, text in sources.items()}
    return "".join(
        _diff(file, texts[file], [each for each in swaps if each.file == file])
        for file in sorted({each.file for each in swaps})
    )


def _to_apply(report: Report) -> Iterator[Proposal]:
    for checked in report.findings:
        fit = (
            each
            for each in checked.diagnosis.proposals
            if each.repair.edits and each.repair.level != "choice"
        )
        yield from list(fit)[:1]


def _chosen(proposals: Iterable[Proposal], sources: Mapping[str, str]) -> list[_Swap]:
    chosen: list[_Swap] = []
    for proposal in proposals:
        swaps = [_swap(edit, sources.get(edit.file)) for edit in proposal.repair.edits]
        both = list(dict.fromkeys([*chosen, *(each for each in swaps if each)]))
        if None not in swaps and not any(_overlap(*pair) for pair in combinations(both, 2)):
            chosen = both
    return chosen


def _overlap(one: _Swap, other: _Swap) -> bool:
    return one.file == other.file and one.start < other.end and other.start < one.end


def _swap(edit: Edit, text: str | None) -> _Swap | None:
    file = shown_file(edit.file)
    if text is None or PurePath(file).is_absolute():
        return None
    # Python counts a lone `\r` as the end of a line, which git does not.
    lines = [(each.start(), each.start(1)) for each in _SOURCE_LINE.finditer(text)]
    start = _offset(lines, edit.span.line, edit.span.column, text)
    end = _offset(lines, edit.span.end_line, edit.span.end_column, text)
    if start is None or end is None or end < start:
        return None
    newline = _NEWLINE.search(text)
    return _Swap(file, start, end, _NEWLINE.sub(newline[0] if newline else "\n", edit.text))


def _offset(lines: list[tuple[int, int]], line: int, column: int, text: str) -> int | None:
    if not 1 <= line <= len(lines):
        return None
    start, end = lines[line - 1]
    if line == 1 and text.startswith(_BOM):  # which the spans of Python do not count
        start += len(_BOM)
    return start + column if 0 <= column <= end - start else None


def render_changed(files: Iterable[ChangedFile]) -> bytes:
    """One diff for all changed files, each in the encoding of its own bytes."""
    return b"".join(
        diff(each.file, each.before, each.after).encode(each.encoding)
        if each.encoding != "utf-8-sig"
        else diff(each.file, _BOM + each.before, _BOM + each.after).encode()
        for each in sorted(files, key=lambda each: shown_file(each.file))
    )


def _diff(file: str, before: str, swaps: list[_Swap]) -> str:
    after = before
    for swap in sorted(swaps, key=lambda each: (each.start, each.end))[::-1]:
        after = after[: swap.start] + swap.text + after[swap.end :]
    return diff(file, before, after)


def diff(file: str, before: str, after: str) -> str:
    """The change of one file, by the name it has in the working directory."""
    file = shown_file(file)
    lines = difflib.unified_diff(_PATCH_LINE.findall(before), _PATCH_LINE.findall(after))
    body = "".join(map(_ended, list(lines)[2:]))
    # Without a line `diff --git`: git would read the names from the top of the repository.
    return f"--- {_name(f'a/{file}')}\n+++ {_name(f'b/{file}')}\n{body}" if body else ""


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(path: str) -> str:
    """The path as git writes it: in quotes if it must, a tab after one with a space."""
    if _UNSAFE_NAME.search(path):
        return f'"{_UNSAFE_NAME.sub(_octal, path)}"'
    return f"{path}\t" if " " in path else path


def _octal(found: re.Match[str]) -> str:
    return "".join(f"\\{byte:03o}" for byte in found[0].encode(errors="surrogateescape"))
