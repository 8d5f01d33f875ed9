"""Searches for the smallest edits that make a program right, and proves them by running it."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType

from wellshaped.execute.forked.parallel import run_forked
from wellshaped.execute.program import Program
from wellshaped.notebook.read import is_notebook
from wellshaped.pipeline.check import Outcome, check
from wellshaped.pipeline.levels import INVENTING, as_choice, level_of, with_moves
from wellshaped.pipeline.proof import (
    Key,
    fault_key,
    gets_further,
    is_fault,
    judge_repair,
    sizes_of,
    still_fails,
)
from wellshaped.pipeline.sweep import Progress
from wellshaped.records.check import Checked
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.fix import Applied, ChangedFile, FixResult, RepairedFault
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Edit, Level
from wellshaped.repair.apply import (
    SourceText,
    edited_sources,
    read_source,
    stored,
    write_sources,
)
from wellshaped.repair.diff import changed_text
from wellshaped.repair.ranking import in_style, rank
from wellshaped.source.frames import is_library

_MOST_STEPS = 8
_MOST_TRIES = 40
_MOST_FURTHER = 2
_MOST_CHOICES = 6
# Times its budget that a search may take by the clock.
_LONGEST = 10
# What drops or makes up elements is no rival of what keeps them; another number is.
_DROPPING = INVENTING - {"number"}

Sources = Mapping[str, str]
Picks = Mapping[str, int]


@dataclass(frozen=True)
class _Move:
    """A repair of one fault, the sources after it, and what the program does with them."""

    fault: Checked
    proposal: Proposal
    sources: Sources
    outcome: Outcome


@dataclass
class Search:
    """A search under way: what is repaired so far, and the sources it led to.

    Of the moves the first `proven` ones are proven; after those behind them the program fails.
    `used` is the CPU time of the tries that were looked at, of the `budget`: those that ran beside
    them and were not needed do not count, or the search would end sooner where more cores are.
    """

    program: Program
    folder: Path
    budget: float
    first: Outcome
    last: Outcome
    progress: Progress
    moves: list[_Move] = field(default_factory=list)
    sources: Sources = field(default_factory=dict)
    proven: int = 0
    begun: dict[str, SourceText] = field(default_factory=dict)
    tries: int = 0
    used: float = 0.0
    picks: Picks = field(default_factory=dict)
    choices: dict[Key, list[_Move]] = field(default_factory=dict)
    begun_at: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> tuple[Checked, ...]:
        """The faults that remain: first what stops the program, and that at its own batch size."""
        found = [each for each in self.last.report.findings if is_fault(each)]
        return tuple(sorted(found, key=_first_to_stop))

    @property
    def spent(self) -> bool:
        """Whether there is no time, or no try, left."""
        return self.seconds <= 0 or self.tries >= _MOST_TRIES

    @property
    def seconds(self) -> float:
        """The CPU seconds that are left; none where the search takes far too long by the clock."""
        waited = time.monotonic() - self.begun_at > _LONGEST * self.budget
        return 0.0 if waited else self.budget - self.used

    def take(self, chain: list[_Move], *, proven: bool) -> None:
        """Go on from where a chain of repairs led; a proven one proves all before it."""
        self.moves += chain
        self.last, self.sources = chain[-1].outcome, chain[-1].sources
        if proven:
            self.proven = len(self.moves)

    def settle(self) -> list[_Move]:
        """Go back to the last repair that is proven; what was tried behind it is returned."""
        unproven = self.moves[self.proven :]
        self.moves = self.moves[: self.proven]
        ends = self.moves[-1:]
        self.last = ends[0].outcome if ends else self.first
        self.sources = ends[0].sources if ends else {}
        return unproven

    def read(self, file: str) -> SourceText:
        """A file as it was when it was read first: a later change is noticed."""
        name = os.path.realpath(file)
        if name not in self.begun:
            self.begun[name] = read_source(file)
        return self.begun[name]

    def text(self, file: str) -> str:
        """The text of a file, or of a cell, as it is stored."""
        return self.read(file).text

    def originally(self, sources: Sources) -> dict[str, tuple[str, str]]:
        """Files that differ, as they were and as they are."""
        return {file: (self.text(file), text) for file, text in sources.items()}


def fix(
    program: Program,
    *,
    budget: float = 120.0,
    progress: Progress = lambda _: None,
    picks: Picks = MappingProxyType({}),
) -> tuple[FixResult, Search]:
    """Repair one fault after the other, each proven on the whole program, until none is left.

    `picks` are choices of the user: by code, or by "" for every code, which of the repairs that
    are shown is to be taken, from 1 on.
    """
    begun = _begun(program)
    first = check(program, budget=min(60.0, budget / 2), progress=progress)
    folder = _own_folder(program)
    search = Search(program, folder, budget, first, first, progress, begun=begun, picks=picks)
    search.used = first.seconds
    while search.left and not search.spent and len(search.moves) < _MOST_STEPS:
        chain, proven = _next_step(search)
        if not chain:
            break
        search.take(chain, proven=proven)
    unproven = search.settle()
    return _fixed(search, unproven[:1]), search


def _own_folder(program: Program) -> Path:
    return Path.cwd() if program.is_module else Path(program.name).resolve().parent


def _begun(program: Program) -> dict[str, SourceText]:
    """The notebook as it is now: an editor that has it open may save it during the search."""
    if program.is_module or not is_notebook(program.name):
        return {}
    return {os.path.realpath(program.name): read_source(program.name)}


def _next_step(search: Search) -> tuple[list[_Move], bool]:
    """The first chain of repairs that makes a fault vanish and brings no other.

    Where there is none: a single repair that is proven at the call and after which the program
    gets further. It counts only if a chain behind it makes the program right.
    """
    before = {fault_key(each, search.originally(search.sources)) for each in search.left}
    partial: list[_Move] = []
    for fault in search.left:
        chain, further = _chain(search, fault, search.sources, search.last, before, _MOST_FURTHER)
        if chain:
            return chain, True
        proven = (each for each in further if _proven(each.proposal))
        lossless = (each for each in proven if each.proposal.repair.lossless)
        partial = partial or [each for each in lossless if _gets_further(search, each)][:1]
    return partial, False


def _gets_further(search: Search, move: _Move) -> bool:
    """Whether the program comes past a fault at every batch size that is tried."""
    seconds = search.seconds
    if seconds <= 0:
        return False
    weights = search.first.own.setting.weights
    texts = dict(move.sources)
    now = check(search.program, sources=texts, budget=seconds, weights=weights, every_size=True)
    search.used += now.seconds
    return gets_further(move.fault, search.last, now, search.originally(move.sources))


def _chain(
    search: Search,
    fault: Checked,
    sources: Sources,
    outcome: Outcome,
    before: set[Key],
    depth: int,
) -> tuple[list[_Move], list[_Move]]:
    """A chain that repairs a fault, and the single repairs after which others come to light.

    Every candidate that is not sure to lose against one that was found is tried: a repair is
    certain only if no other explains the fault as well. Those that are not are kept as choices.
    """
    further: list[tuple[_Move, Checked]] = []
    clean: list[_Move] = []
    with closing(_tried(search, fault, sources, clean)) as moves:
        for move in moves:
            files = search.originally(move.sources)
            proven = _proven(move.proposal)
            verdict = judge_repair(fault, outcome, move.outcome, before, files, proven)
            if verdict.clean:
                clean.append(move)
            elif verdict.fresh:
                further.append((move, verdict.fresh[0]))
    if clean:
        search.choices[fault_key(fault, search.originally(sources))] = clean
        taken = _picked(search, fault, clean) or _certain(clean)
        return [taken] if taken else [], []
    for move, fresh in further if depth else ():
        if not move.proposal.repair.lossless:
            continue
        rest, _ = _chain(search, fresh, move.sources, move.outcome, before, depth - 1)
        if rest:
            return [move, *rest], []
    return [], [move for move, _ in further]


def _tried(
    search: Search, fault: Checked, sources: Sources, clean: Sequence[_Move]
) -> Generator[_Move, None, None]:
    """The candidates of a fault, best first, each with what the edited program does.

    `clean` are those that were right so far: enough of them end the search.
    """
    found = list(_candidates(search, fault, sources))[: max(0, _MOST_TRIES - search.tries)]
    seconds = search.seconds
    if not found or seconds <= 0:
        return
    weights = search.first.own.setting.weights
    tasks = [
        lambda texts=texts: check(search.program, sources=texts, budget=seconds, weights=weights)
        for _, texts in found
    ]
    # A check may take longer than its budget where it runs something again in full.
    with closing(run_forked(tasks, seconds=2 * seconds)) as outcomes:
        for (proposal, texts), outcome in zip(found, outcomes, strict=True):
            search.tries += 1
            search.progress(phrase("repair", number=search.tries))
            search.used += seconds if outcome is None else outcome.seconds
            if outcome is not None:
                yield _Move(fault, proposal, texts, outcome)
            if search.spent or len(clean) >= _MOST_CHOICES:
                return


def _candidates(
    search: Search, fault: Checked, sources: Sources
) -> Iterator[tuple[Proposal, Sources]]:
    """Repairs with edits in the program's own files, and the sources each would give."""
    finding = fault.diagnosis.finding
    usable = [each for each in fault.diagnosis.candidates if _is_own(each, search.folder)]
    files = {edit.file for each in usable for edit in each.repair.edits}
    texts = {file: sources.get(file) or search.text(file) for file in files}
    seen: list[Sources] = []
    for proposal in sorted(usable, key=lambda each: rank(each, finding, texts)):
        edits = tuple(in_style(edit, texts[edit.file]) for edit in proposal.repair.edits)
        changed = edited_sources(edits, {**texts, **sources})
        if changed is None:
            continue
        differing = {file: text for file, text in changed.items() if text != search.text(file)}
        if differing == dict(sources) or differing in seen:
            continue
        seen.append(differing)
        repair = replace(proposal.repair, edits=edits)
        repair = with_moves(repair, finding.observation, proposal.evidence, {**texts, **sources})
        yield replace(proposal, repair=repair), differing


def _is_own(proposal: Proposal, folder: Path) -> bool:
    edits = proposal.repair.edits
    return bool(edits) and all(_own_file(edit, folder) for edit in edits)


def _own_file(edit: Edit, folder: Path) -> bool:
    return not is_library(edit.file) and Path(edit.file).resolve().is_relative_to(folder)


def _certain(clean: Sequence[_Move]) -> _Move | None:
    """The repair that is lossless and alone: no other that explains the fault gives other results.

    What drops or invents elements explains less than what keeps them all, and does not count.
    """
    best = next((each for each in clean if _level(each) != "suggestion"), None)
    if best is None:
        return None
    rivals = [each for each in clean if not _DROPPING & {*each.proposal.repair.moves}]
    return best if all(_same_results(best, each) for each in rivals) else None


def _same_results(one: _Move, other: _Move) -> bool:
    """Whether two edited programs print the same, and have the same first losses."""
    first, second = one.outcome.own, other.outcome.own
    same = first.output == second.output
    return same and first.gradients.losses == second.gradients.losses


def _picked(search: Search, fault: Checked, clean: Sequence[_Move]) -> _Move | None:
    """The choice that the user picked for faults of this code, or for all."""
    code = fault.diagnosis.finding.code
    number = search.picks.get(code, search.picks.get("", 0))
    return clean[number - 1] if 0 < number <= len(clean) else None


def _level(move: _Move) -> Level:
    """The level of a repair after which the program is right, if it is alone."""
    finding, repair = move.fault.diagnosis.finding, move.proposal.repair
    by_chance = finding.facts.get("by_chance") in move.outcome.own.batch_sizes_seen
    raised = finding.observation.raised and (finding.severity == "error" or not by_chance)
    if raised:
        return "safe" if repair.lossless else "suggestion"
    # That the fault is gone from the program is what proves a repair of one that raised nothing.
    return level_of(repair, finding.observation, proven=True)


def _proven(proposal: Proposal) -> bool:
    return proposal.evidence is not None and proposal.evidence.proven


def _fixed(search: Search, unproven: list[_Move]) -> FixResult:
    """The search as a record: each repair with its lines and the batch sizes it was tried at."""
    mended: list[RepairedFault] = []
    earlier: Sources = {}
    for move in search.moves:
        repair = replace(move.proposal.repair, level=_level(move))
        texts = {file: earlier.get(file) or search.text(file) for file in move.sources}
        lines = changed_text(texts, move.sources)
        proposal = replace(move.proposal, repair=repair, lines=lines)
        files = search.originally(search.sources)
        sizes = sizes_of(move.fault, proposal, search.last, files)
        mended.append(RepairedFault(move.fault, proposal, sizes))
        earlier = move.sources
    changed = tuple(
        ChangedFile(before.file, before.text, text, before.encoding)
        for before, text in sorted(
            stored(search.sources, search.read), key=lambda each: each[0].file
        )
    )
    left = tuple(_shown(each, unproven, search) for each in search.left)
    complete = search.first.report.complete and search.last.report.complete
    return FixResult(search.first.report, tuple(mended), left, changed, complete)


def _shown(checked: Checked, unproven: list[_Move], search: Search) -> Checked:
    """A fault that is left: its repairs are suggestions, for none made the program right.

    One after which the program gets further is shown with the line where it still fails.
    """
    picks = search.choices.get(fault_key(checked, search.originally(search.sources)), [])
    tried = [_stopped(move, search) for move in unproven if move.fault == checked]
    proposals = [_choice(move, search) for move in picks] or tried or checked.diagnosis.proposals
    doubted = tuple(as_choice(each) for each in proposals)
    return replace(checked, diagnosis=replace(checked.diagnosis, proposals=doubted))


def _choice(move: _Move, search: Search) -> Proposal:
    """A repair that makes the program right and is not certain, with the lines it changes."""
    texts = {file: search.sources.get(file) or search.text(file) for file in move.sources}
    return replace(move.proposal, lines=changed_text(texts, move.sources))


def _stopped(move: _Move, search: Search) -> Proposal:
    texts = {file: search.sources.get(file) or search.text(file) for file in move.sources}
    stops = still_fails(move.outcome, search.originally(move.sources))
    return replace(move.proposal, lines=changed_text(texts, move.sources), stops=stops)


def write(search: Search, *, unsafe: bool, backup: bool) -> Applied:
    """Write the repairs that may be written, and return how many of the series those are.

    Each stands on the ones before it, so the series is written up to the first that changes
    results, unless `unsafe` allows those too. A choice is in the series only where it was picked.
    """

    def may_be_written(move: _Move) -> bool:
        return unsafe or _level(move) != "changes results"

    allowed = list(takewhile(may_be_written, search.moves))
    texts = stored(allowed[-1].sources, search.read) if allowed else []
    return Applied(len(allowed), write_sources(texts, backup=backup))


def apply(fixed: FixResult, search: Search, *, unsafe: bool, backup: bool) -> FixResult:
    """Write the repairs that may be written; the record says how many, and to which files."""
    return replace(fixed, applied=write(search, unsafe=unsafe, backup=backup))


def _first_to_stop(checked: Checked) -> tuple[bool, bool]:
    finding = checked.diagnosis.finding
    return not finding.observation.raised, finding.severity != "error"
