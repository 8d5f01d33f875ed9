"""What a run left in its folder, as records: its curves, and the texts it sampled last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from wellshaped.records.training.progress import Curves, Ended, Kept
from wellshaped.records.training.samples import Sample, Samples
from wellshaped.train.artifacts.track import TABLES, Track

_TEXTS: Final = "samples.jsonl"
_MOST_TEXTS: Final = 8


def read_artifacts(folder: Path, *, ended: Ended | None = None, stage: str = "") -> Kept | None:
    """All that a run left in its folder; None where it left no tables."""
    curves = read_curves(folder)
    return None if curves is None else Kept(curves, read_samples(folder), ended, stage)


def read_curves(folder: Path) -> Curves | None:
    """The curves of a run; None where it left none."""
    found = folder / TABLES
    return Track(found).curves() if found.is_dir() else None


def read_samples(folder: Path) -> tuple[Samples, ...]:
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
