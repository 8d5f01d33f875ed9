"""Searches for the smallest edits that make a program right, and proves them by running it."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType

from wellshaped.execute import Program
from wellshaped.execute.forked.parallel import run_forked
from wellshaped.notebook.read import is_notebook
from wellshaped.pipeline.check import Outcome, check
from wellshaped.pipeline.choices import certain, final_level, picked
from wellshaped.pipeline.levels import as_choice, with_moves
from wellshaped.pipeline.proof import (
    Key,
    fault_key,
    gets_further,
    judge_repair,
    sizes_of,
    still_fails,
)
from wellshaped.pipeline.search import Picks, Search, Sources, TriedRepair
from wellshaped.pipeline.sweep import Progress
from wellshaped.records.check import Checked
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.fix import Applied, ChangedFile, FixResult, RepairedFault
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Edit
from wellshaped.repair import (
    SourceText,
    changed_text,
    edited_sources,
    in_style,
    rank,
    read_source,
    stored,
    write_sources,
)
from wellshaped.source import is_library

_MOST_STEPS = 8
_MOST_FURTHER = 2
_MOST_CHOICES = 6


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
    first = check(program, budget=min(60.0, budget / 2), progress=progress, try_out=False)
    folder = _own_folder(program)
    search = Search(program, folder, budget, first, first, progress, begun=begun, picks=picks)
    search.used = first.seconds
    return go_on(search, picks), search


def go_on(search: Search, picks: Picks, *, once: bool = False) -> FixResult:
    """Go on with a search whose choices were shown: those in `picks` are taken.

    With `once` the first is: who was asked about one finding has not answered for the next.
    """
    search.picks, search.picks_once = picks, once
    while search.left and not search.spent and len(search.moves) < _MOST_STEPS:
        chain, proven = _next_step(search)
        if not chain:
            break
        search.take(chain, proven=proven)
    unproven = search.settle()
    return _fixed(search, unproven[:1])


def _own_folder(program: Program) -> Path:
    return Path.cwd() if program.is_module else Path(program.name).resolve().parent


def _begun(program: Program) -> dict[str, SourceText]:
    """The notebook as it is now: an editor that has it open may save it during the search."""
    if program.is_module or not is_notebook(program.name):
        return {}
    return {os.path.realpath(program.name): read_source(program.name)}


def _next_step(search: Search) -> tuple[list[TriedRepair], bool]:
    """The first chain of repairs that makes a fault vanish and brings no other.

    Where there is none: a single repair that is proven at the call and after which the program
    gets further. It counts only if a chain behind it makes the program right.
    """
    before = {fault_key(each, search.originally(search.sources)) for each in search.left}
    partial: list[TriedRepair] = []
    for fault in search.left:
        chain, further = _chain(search, fault, search.sources, search.last, before, _MOST_FURTHER)
        if chain:
            return chain, True
        if further:
            search.partial[fault_key(fault, search.originally(search.sources))] = further
            taken = _picked_now(search, further)
            if taken is not None:
                return [taken], False
        proven = (each for each in further if _proven(each.proposal))
        lossless = (each for each in proven if each.proposal.repair.lossless)
        partial = partial or [each for each in lossless if _gets_further(search, each)][:1]
    return partial, False


def _gets_further(search: Search, move: TriedRepair) -> bool:
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
) -> tuple[list[TriedRepair], list[TriedRepair]]:
    """A chain that repairs a fault, and the single repairs after which others come to light.

    Every candidate that is not sure to lose against one that was found is tried: a repair is
    certain only if no other explains the fault as well. Those that are not are kept as choices.
    """
    key = fault_key(fault, search.originally(sources))
    further: list[tuple[TriedRepair, Checked]] = []
    clean = search.choices.get(key, [])
    if not clean:
        clean, further = _tried_whole(search, fault, sources, outcome, before)
    if clean:
        search.choices[key] = clean
        taken = None if key in search.cut_short else certain(clean)
        taken = taken or _picked_now(search, clean)
        return [taken] if taken else [], []
    for move, fresh in further if depth else ():
        if not move.proposal.repair.lossless:
            continue
        rest, _ = _chain(search, fresh, move.sources, move.outcome, before, depth - 1)
        if rest:
            return [move, *rest], []
    return [], [move for move, _ in further]


def _picked_now(search: Search, tried: Sequence[TriedRepair]) -> TriedRepair | None:
    taken = picked(search.picks, tried)
    if taken is not None and search.picks_once:
        search.picks = {}
    return taken


def _tried_whole(
    search: Search, fault: Checked, sources: Sources, outcome: Outcome, before: set[Key]
) -> tuple[list[TriedRepair], list[tuple[TriedRepair, Checked]]]:
    """What the rule proposes; where none of it is certain, variations of the source as well."""
    clean: list[TriedRepair] = []
    further: list[tuple[TriedRepair, Checked]] = []
    diagnosis = fault.diagnosis
    # What raised nothing is repaired by its rule, and by what that brings to light.
    varied = diagnosis.single_variations if diagnosis.finding.observation.raised else ()
    for proposals in (diagnosis.candidates, varied):
        found = list(_candidates(search, fault, sources, proposals))
        tries = search.tries
        right, partly = _judged(search, fault, sources, outcome, before, found)
        clean, further = [*clean, *right], [*further, *partly]
        if search.tries - tries < len(found):
            search.cut_short.add(fault_key(fault, search.originally(sources)))
        if clean and certain(clean):
            break
    return clean, further


def _judged(
    search: Search,
    fault: Checked,
    sources: Sources,
    outcome: Outcome,
    before: set[Key],
    found: Sequence[tuple[Proposal, Sources]],
) -> tuple[list[TriedRepair], list[tuple[TriedRepair, Checked]]]:
    """The candidates after which the program is right, and those behind which others come."""
    further: list[tuple[TriedRepair, Checked]] = []
    clean: list[TriedRepair] = []
    with closing(_tried(search, fault, found, clean)) as moves:
        for move in moves:
            files = search.originally(move.sources)
            proven = _proven(move.proposal)
            verdict = judge_repair(fault, outcome, move.outcome, before, files, proven)
            if verdict.clean and not _loses_a_size(move, files):
                clean.append(move)
            elif verdict.fresh:
                further.append((move, verdict.fresh[0]))
    return clean, further


def _loses_a_size(move: TriedRepair, files: Mapping[str, tuple[str, str]]) -> bool:
    """Whether there is a batch size at which the program was right and is not any more."""
    sizes = sizes_of(move.fault, move.proposal, move.outcome, files)
    return any(each.before and each.after is False for each in sizes)


def _tried(
    search: Search,
    fault: Checked,
    found: Sequence[tuple[Proposal, Sources]],
    clean: Sequence[TriedRepair],
) -> Generator[TriedRepair, None, None]:
    """The candidates of a fault, best first, each with what the edited program does.

    `clean` are those that were right so far: enough of them end the search.
    """
    found = found[: max(0, search.tries_left)]
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
                yield TriedRepair(fault, proposal, texts, outcome)
            if search.spent or len(clean) >= _MOST_CHOICES:
                return


def _candidates(
    search: Search, fault: Checked, sources: Sources, proposals: Sequence[Proposal]
) -> Iterator[tuple[Proposal, Sources]]:
    """Repairs with edits in the program's own files, and the sources each would give."""
    finding = fault.diagnosis.finding
    usable = [each for each in proposals if _is_own(each, search.folder)]
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


def _proven(proposal: Proposal) -> bool:
    return proposal.evidence is not None and proposal.evidence.proven


def _fixed(search: Search, unproven: list[TriedRepair]) -> FixResult:
    """The search as a record: each repair with its lines and the batch sizes it was tried at."""
    mended: list[RepairedFault] = []
    earlier: Sources = {}
    for move in search.moves:
        level = final_level(move)
        repair = replace(move.proposal.repair, level=level, alone=level != "choice")
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


def _shown(checked: Checked, unproven: list[TriedRepair], search: Search) -> Checked:
    """A fault that is left: its repairs are choices, for none made the program right.

    One after which the program gets further is shown with the line where it still fails.
    """
    key = fault_key(checked, search.originally(search.sources))
    picks = search.choices.get(key, []) or search.partial.get(key, [])
    tried = [_stopped(move, search) for move in unproven if move.fault == checked]
    numbered = [_choice(move, search, number) for number, move in enumerate(picks, 1)]
    proposals = numbered or tried or checked.diagnosis.proposals
    doubted = tuple(as_choice(each) for each in proposals)
    return replace(checked, diagnosis=replace(checked.diagnosis, proposals=doubted))


def _choice(move: TriedRepair, search: Search, number: int) -> Proposal:
    """A repair that is not certain, with the lines it changes, and what still fails after it."""
    return replace(_stopped(move, search), number=number)


def _stopped(move: TriedRepair, search: Search) -> Proposal:
    texts = {file: search.sources.get(file) or search.text(file) for file in move.sources}
    stops = still_fails(move.outcome, search.originally(move.sources))
    return replace(move.proposal, lines=changed_text(texts, move.sources), stops=stops)


def write(search: Search, *, unsafe: bool, backup: bool) -> Applied:
    """Write the repairs that may be written, and return how many of the series those are.

    Each stands on the ones before it, so the series is written up to the first that changes
    results, unless `unsafe` allows those too. A choice is in the series only where it was picked.
    """

    def may_be_written(move: TriedRepair) -> bool:
        return unsafe or final_level(move) != "changes results"

    allowed = list(takewhile(may_be_written, search.moves))
    texts = stored(allowed[-1].sources, search.read) if allowed else []
    return Applied(len(allowed), write_sources(texts, backup=backup))


def apply(fixed: FixResult, search: Search, *, unsafe: bool, backup: bool) -> FixResult:
    """Write the repairs that may be written; the record says how many, and to which files."""
    return replace(fixed, applied=write(search, unsafe=unsafe, backup=backup))
