"""The batch sizes with which a line ran: at which it fails, at which it is right, where neither.

A batch size is the number of samples that a loader collated, or the number that sets the batch in
a program without loaders. The first size of a tensor is neither: it may be a sequence length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from wellshaped.execute.instrument import Statement
from wellshaped.observe import RunResult
from wellshaped.records.check import Swept
from wellshaped.records.observation import Observation
from wellshaped.records.source import Place

# By file, the statements that ran, each with the batch sizes at which it ran to its end.
Completed = Mapping[str, tuple[tuple[Statement, frozenset[int]], ...]]


def sizes_met(ran: RunResult) -> set[int]:
    """The batch sizes of a run."""
    return set(ran.batch_sizes_seen) if ran.by_loader or ran.batch is not None else set()


def at_size(ran: RunResult, size: int, others: Sequence[RunResult]) -> RunResult:
    """A run without loaders whose batch size is known, beside runs at other sizes.

    First sizes of a model's input that are the same in all of them are no batch sizes.
    """
    same = (
        set(ran.batch_sizes_seen).intersection(*(other.batch_sizes_seen for other in others))
        if others
        else set(ran.batch_sizes_seen)
    )
    met = {*ran.batch_sizes_seen} - same | {size}
    current = ran.current if ran.current in met else size
    return replace(ran, batch=size, batch_sizes_seen=tuple(sorted(met)), current=current)


def sizes_at(ran: RunResult, place: Place) -> set[int] | None:
    """The batch sizes with which a line ran to its end; None where nothing is known of the line."""
    known = [each for each in ran.reached.get(place.file, ()) if _covers(each[0], place.line)]
    if not known:
        return set() if place.file in ran.reached else None
    _, rows = min(known, key=lambda each: each[0].end_line - each[0].line)
    sizes = {ran.batch if size is None and not ran.by_loader else size for size in rows}
    under_way = any((each.file, each.line) == (place.file, place.line) for each in ran.stack)
    unfinished = {ran.current} if under_way else set()
    return {size for size in sizes - unfinished if size is not None}


def failing_sizes(ran: RunResult, observation: Observation, rows: Iterable[int] = ()) -> set[int]:
    """The batch sizes with which a fault was seen in a run; `rows` are those of a loss's calls."""
    met = sizes_met(ran)
    if observation.raised:
        return met & {ran.current}
    if observation.kind == "silent":
        at = sizes_at(ran, observation.passage.place)
        return met if at is None else at & met
    return met.intersection(rows) or met


def swept_at(
    place: Place, fails: set[int], runs: Sequence[RunResult], *, wrong: Iterable[object] = ()
) -> Swept:
    """Where the line of a fault fails, holds, and was not run though the batch size was tried."""
    held = {size for ran in runs for size in _held(ran, place)}
    tried = {size for ran in runs for size in _tried(ran)}
    holds, not_run = held - fails - {*wrong}, tried - fails - held
    return Swept(tuple(sorted(fails)), tuple(sorted(holds)), tuple(sorted(not_run)))


def completed(runs: Sequence[RunResult]) -> Completed:
    """The statements of all runs, by file, with the batch sizes at which each ran to its end."""
    found: dict[str, dict[Statement, set[int]]] = {}
    for ran in runs:
        for file, statements in ran.reached.items():
            for statement, _ in statements:
                sizes = sizes_at(ran, Place(file, statement.line, "")) or set()
                found.setdefault(file, {}).setdefault(statement, set()).update(sizes)
    return {
        file: tuple((statement, frozenset(sizes)) for statement, sizes in each.items())
        for file, each in found.items()
    }


def _held(ran: RunResult, place: Place) -> set[int]:
    """The batch sizes at which a line ran; lines that no run follows ran in one that finished."""
    known = sizes_at(ran, place)
    if known is None:
        return _tried(ran) if ran.ended == "ended" else set()
    return known


def _tried(ran: RunResult) -> set[int]:
    """The batch sizes that a run was for; its own only where all its loaders have the same.

    Several loaders have a batch size each, and a line gets the batches of one of them.
    """
    if ran.setting.batch is not None:
        return {ran.setting.batch}
    if ran.by_loader:
        return set(ran.sizes) if len(ran.sizes) == 1 else set()
    return set() if ran.batch is None else {ran.batch}


def _covers(statement: Statement, line: int) -> bool:
    return statement.line <= line <= statement.end_line
