"""What a run left in its folder, as records: its curves, and the texts it sampled last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from wellshaped.records.samples import Sample, Samples
from wellshaped.records.training import Curves
from wellshaped.train.track import Track

# Where the kinds of training keep their tables.
_TABLES: Final = ("log", "track")
_TEXTS: Final = "samples.jsonl"
_MOST_TEXTS: Final = 8


def curves_of(folder: Path) -> Curves | None:
    """The curves of a run; None where it left none."""
    found = next((folder / name for name in _TABLES if (folder / name).is_dir()), None)
    return Track(found).curves() if found is not None else None


def samples_of(folder: Path) -> tuple[Samples, ...]:
    """The texts of the last evaluation that wrote any."""
    path = folder / _TEXTS
    if not path.exists():
        return ()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    last = max((row["step"] for row in rows), default=0)
    found = [
        Sample(row["prompt"], row["response"], row["score"], row["kl"])
        for row in rows
        if row["step"] == last
    ]
    return (Samples(last, tuple(found[:_MOST_TEXTS])),) if found else ()
