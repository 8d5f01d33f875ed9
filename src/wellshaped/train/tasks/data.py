"""The examples of a task: from files, from rows in memory, or generated; bad rows told first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Flaws
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.rows import Row, read_rows
from wellshaped.train.tasks.generated_rows import generate_rows
from wellshaped.train.tasks.kinds import Columns, Example, Kind, NotUsable

# Files, rows as dictionaries, or nothing: then rows are generated.
Data = str | Path | Sequence[str | Path] | Sequence[Mapping[str, Any]] | None
GENERATED = "generated"
_GENERATED_ROWS = 2000


def read_examples(
    kind: Kind,
    data: Data,
    columns: Columns,
    *,
    seed: int = 0,
    skip_bad_rows: bool = False,
    tell: Callable[[Flaws], None] = lambda _: None,
    targets: bool = True,
) -> list[Example]:
    """Every row as an example; those that cannot be are told, and end it unless they may go."""
    bad = BadRows()
    read = kind.example if targets else kind.inputs
    found = []
    for row in _rows(kind, data, columns.all if targets else columns.inputs, bad, seed):
        try:
            found.append(read(row.fields, columns))
        except NotUsable as error:
            bad.add(row, error.reason.name, **error.reason.facts)
    bad.settle(skip=skip_bad_rows, tell=tell)
    return found


def _rows(
    kind: Kind, data: Data, needed: tuple[str, ...], bad: BadRows, seed: int
) -> Iterator[Row]:
    if data is None or data in (GENERATED, [GENERATED]):
        data = generate_rows(kind.name, rows=_GENERATED_ROWS, seed=seed)
    if isinstance(data, str | Path):
        data = [data]
    if all(isinstance(each, str | Path) for each in data):
        yield from read_rows([str(each) for each in data], bad=bad, columns=needed)
        return
    for line, fields in enumerate(data, 1):
        row = Row("rows", line, dict(fields) if isinstance(fields, Mapping) else {})
        bad.rows += 1
        missing = next((name for name in needed if row.fields.get(name) is None), None)
        if missing is None:
            yield row
        else:
            bad.add(row, "row_lacks", column=missing)


def split_rows(
    found: list[Example], *, share: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """Rows to train on and rows to evaluate with, by chance; at least one of each."""
    if not 0 < share < 1:
        raise UserError("WS988", "setting_share", name="hold_out", got=share)
    if len(found) < 2:
        raise UserError("WS984", "no_rows_left", rows=len(found))
    chance = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(found), generator=chance).tolist()
    held = min(max(round(share * len(found)), 1), len(found) - 1)
    return [found[place] for place in order[held:]], [found[place] for place in order[:held]]


def fingerprint(parts: Iterable[Sequence[Example]]) -> str:
    """What tells one set of examples from another."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}\n".encode())
        for each in part:
            digest.update(f"{each.tokens!r} {each.features!r} {each.target!r}\n".encode())
    return digest.hexdigest()[:16]
