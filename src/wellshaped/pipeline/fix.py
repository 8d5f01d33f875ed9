"""Searches for the smallest edits that make a program right, and proves them by running it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from wellshaped.notebook.read import is_notebook
from wellshaped.observe.program import Program
from wellshaped.pipeline.check import Outcome, check
from wellshaped.records.check import Checked
from wellshaped.records.repair import Edit, Level, Repair
from wellshaped.repair.apply import SourceText, edited_sources, read_source

_MOST_STEPS = 4
_MOST_TRIES = 24
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Mended:
    """A fault and the repair that was proven on the whole program."""

    checked: Checked
    repair: Repair


@dataclass
class Search:
    """What a search for repairs came to."""

    first: Outcome
    last: Outcome
    mended: list[Mended] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    tries: int = 0
    begun: dict[str, SourceText] = field(default_factory=dict)

    def read(self, file: str) -> SourceText:
        """A file as it was when the search began, or as it is."""
        return self.begun.get(os.path.realpath(file)) or read_source(file)

    @property
    def left(self) -> tuple[Checked, ...]:
        """The faults that remain."""
        return tuple(each for each in self.last.report.findings if counts(each))


def counts(checked: Checked) -> bool:
    """Whether a finding is a fault and not a note."""
    return checked.diagnosis.finding.severity != "note"


def fix(program: Program, *, budget: float = 120.0, progress: Progress = lambda _: None) -> Search:
    """Repair one fault after the other, each proven on the whole program, until none is left."""
    deadline = time.monotonic() + budget
    folder = str(Path(program.name).resolve().parent) if not program.is_module else str(Path.cwd())
    begun = _begun(program)
    first = check(program, progress=progress)
    search = Search(first, first, begun=begun)
    while search.left and time.monotonic() < deadline and len(search.mended) < _MOST_STEPS:
        found = _next_step(program, search, folder, deadline, progress)
        if found is None:
            break
        chain, outcome, sources = found
        search.mended += chain
        search.last, search.sources = outcome, sources
    return search


def _begun(program: Program) -> dict[str, SourceText]:
    """The notebook as it is now: an editor that has it open may save it during the search."""
    if program.is_module or not is_notebook(program.name):
        return {}
    return {os.path.realpath(program.name): read_source(program.name)}


def _next_step(
    program: Program, search: Search, folder: str, deadline: float, progress: Progress
) -> tuple[list[Mended], Outcome, dict[str, str]] | None:
    """The first chain of edits that removes a fault without making another."""
    before = {_key(each) for each in search.left}
    for fault in search.left:
        found = _chain(
            program, fault, search, before, folder, deadline, 2, search.sources, progress
        )
        if found is not None:
            return found
    return None


def _chain(
    program: Program,
    fault: Checked,
    search: Search,
    before: set[tuple[str, str, int]],
    folder: str,
    deadline: float,
    depth: int,
    sources: dict[str, str],
    progress: Progress,
) -> tuple[list[Mended], Outcome, dict[str, str]] | None:
    for repair in _candidates(fault, folder):
        if time.monotonic() > deadline or search.tries >= _MOST_TRIES:
            return None
        texts = edited_sources(repair.edits, sources)
        if texts is None or texts == sources:
            continue
        search.tries += 1
        progress(f"repair {search.tries}")
        outcome = check(program, sources=texts, budget=max(10.0, deadline - time.monotonic()))
        after = [each for each in outcome.report.findings if counts(each)]
        if _key(fault) in {_key(each) for each in after} or outcome.failure:
            continue
        step = Mended(fault, _leveled(repair, fault))
        fresh = [each for each in after if _key(each) not in before]
        if not fresh:
            return [step], outcome, texts
        if depth > 0:
            further = _chain(
                program, fresh[0], search, before, folder, deadline, depth - 1, texts, progress
            )
            if further is not None:
                return [step, *further[0]], further[1], further[2]
    return None


def _key(checked: Checked) -> tuple[str, str, int]:
    finding = checked.diagnosis.finding
    place = finding.observation.passage.place
    return finding.code, place.file, place.line


def _leveled(repair: Repair, fault: Checked) -> Repair:
    raised = fault.diagnosis.finding.observation.raised
    level: Level = "safe" if raised else "changes results"
    return replace(repair, level=level)


def _candidates(fault: Checked, folder: str) -> Iterable[Repair]:
    """Repairs with edits in the program's own folder, those proven at the call first."""
    proposals = sorted(
        fault.diagnosis.proposals,
        key=lambda each: each.evidence is None or not each.evidence.proven,
    )
    for proposal in proposals:
        edits = proposal.repair.edits
        if edits and all(_own(edit, folder) for edit in edits):
            yield proposal.repair


def _own(edit: Edit, folder: str) -> bool:
    return Path(edit.file).resolve().is_relative_to(folder)
