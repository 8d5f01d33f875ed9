"""Reads preference data: rows in, comparisons of token ids out, and all that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import torch

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.shortened import Shortened
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.comparisons import Comparison, Comparisons
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preferences import Preference, RowFault, preference_of
from wellshaped.train.data.rows import MEMORY, Data, Row, rows_of
from wellshaped.train.data.truncation import Cut
from wellshaped.train.events import EventSink

_CHUNK: Final = 256
_SHOWN: Final = 5
_LINES_DIFFER: Final = (".jsonl", ".ndjson")


def preference_rows(data: Data, *, bad: BadRows) -> Iterator[Row]:
    """The rows of the data; raises where a whole table has no answers."""
    known = ""
    for row in rows_of(data, bad=bad):
        if row.file not in (known, MEMORY):
            known = row.file
            _require_columns(row)
        yield row


def split_comparisons(
    data: Data,
    held_out: Data | None,
    encoder: Encoder,
    *,
    share: float,
    seed: int,
    skip: bool,
    tell: EventSink,
) -> tuple[Comparisons, Comparisons]:
    """Comparisons to learn from and to evaluate on: of other data, or a share of the same."""
    trained = _read(data, encoder, skip=skip, tell=tell)
    if held_out is None:
        trained, evaluated = split(trained, share=share, seed=seed)
    else:
        evaluated = _read(held_out, encoder, skip=skip, tell=tell)
    facts = {"pairs": trained.pairs, "tokens": trained.tokens, "held": evaluated.pairs}
    tell(Phrase("comparisons_read", facts))
    return trained, evaluated


def split(comparisons: Comparisons, *, share: float, seed: int) -> tuple[Comparisons, Comparisons]:
    """Those to train on and those to evaluate with, drawn by the seed; at least one of each."""
    count = round(share * len(comparisons))
    if share and len(comparisons) > 1:
        count = min(max(count, 1), len(comparisons) - 1)
    random = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(comparisons), generator=random).tolist()
    kept, held = sorted(order[count:]), sorted(order[:count])
    return (
        Comparisons(comparisons[place] for place in kept),
        Comparisons(comparisons[place] for place in held),
    )


def read_comparisons(
    data: Data, encoder: Encoder, *, bad: BadRows
) -> tuple[Comparisons, Shortened]:
    """All comparisons of the data, a chunk of rows at a time; rows with a fault go to `bad`."""
    made, lost = Comparisons(), _Losses()
    rows = preference_rows(data, bad=bad)
    while chunk := list(islice(rows, _CHUNK)):
        for row, comparison, cut in _encoded(chunk, encoder, bad):
            made.append(comparison)
            lost.add(row, cut)
    return made, lost.record(encoder.length, len(made))


def _read(data: Data, encoder: Encoder, *, skip: bool, tell: EventSink) -> Comparisons:
    bad = BadRows()
    comparisons, shortened = read_comparisons(data, encoder, bad=bad)
    bad.settle(skip=skip, tell=tell)
    tell(shortened)
    return comparisons


def _encoded(
    chunk: list[Row], encoder: Encoder, bad: BadRows
) -> Iterator[tuple[Row, Comparison, Cut]]:
    read: list[tuple[Row, Preference]] = []
    for row in chunk:
        try:
            read.append((row, preference_of(row.fields)))
        except RowFault as fault:
            bad.add(row, fault.name, **fault.facts)
    found = encoder.encode([preference for _, preference in read])
    for (row, _), each in zip(read, found, strict=True):
        if isinstance(each, RowFault):
            bad.add(row, each.name, **each.facts)
        else:
            yield row, *each


def _require_columns(row: Row) -> None:
    """Raise where a whole table has no answers; the lines of a JSONL file may differ."""
    if Path(row.file).suffix.lower() in _LINES_DIFFER:
        return
    for name in ("chosen", "rejected"):
        if name not in row.fields and f"{name}_ids" not in row.fields:
            known = ", ".join(f"`{each}`" for each in row.fields)
            raise UserError("WS982", "missing_column", file=row.file, column=name, known=known)


class _Losses:
    """Counts what the length took, and remembers the first places where it took much."""

    def __init__(self) -> None:
        self._counts = Counter(prompts=0, answers=0, full=0)
        self._first: dict[str, list[tuple[str, int]]] = {"full": [], "answers": []}

    def add(self, row: Row, cut: Cut) -> None:
        self._counts["prompts"] += cut.prompt > 0
        for name, happened in (("full", cut.full), ("answers", cut.answers > 0)):
            self._counts[name] += happened
            if happened and len(self._first[name]) < _SHOWN:
                self._first[name].append((row.file, row.line))

    def record(self, length: int, rows: int) -> Shortened:
        first = {f"first_{name}": tuple(places) for name, places in self._first.items()}
        return Shortened(length=length, rows=rows, **self._counts, **first)  # type: ignore[arg-type]
