"""The tables that a run keeps of its steps."""

import csv
from pathlib import Path


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """A table of the run in a folder, as it was kept."""
    with (folder / "log" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def without_clock(folder: Path, name: str) -> list[dict[str, str]]:
    """The same without what depends on how busy the machine was."""
    rows = table(folder, name)
    return [{k: v for k, v in row.items() if not k.endswith("per_second")} for row in rows]
