"""Predictions of a saved task for the rows of files, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Flaws
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.rows import read_rows
from wellshaped.train.tasks.kinds import NotUsable
from wellshaped.train.tasks.result import Trained


def predictions(
    kind: str,
    folder: str | Path,
    files: Sequence[str | Path],
    *,
    batch_size: int = 64,
    skip_bad_rows: bool = False,
    tell: Callable[[Flaws], None] = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """Each row of the files with its `prediction`; bad rows are told before the first one."""
    trained = Trained.load(folder)
    encoding = trained.encoding
    if encoding.kind.name != kind:
        raise UserError(
            "WS986", "other_kind", folder=str(folder), got=encoding.kind.name, wanted=kind
        )
    bad, rows = BadRows(), []
    for row in read_rows(files, bad=bad, columns=encoding.columns.inputs):
        try:
            rows.append((row.fields, encoding.kind.inputs(row.fields, encoding.columns)))
        except NotUsable as error:
            bad.add(row, error.reason.name, **error.reason.facts)
    bad.settle(skip=skip_bad_rows, tell=tell)
    for at in range(0, len(rows), batch_size):
        part = rows[at : at + batch_size]
        made = trained.of_examples([example for _, example in part], batch_size=batch_size)
        for (fields, _), prediction in zip(part, made, strict=True):
            yield {**fields, "prediction": prediction}
