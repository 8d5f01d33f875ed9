"""Runs other people's training scripts with and without `wellshaped run`, and checks them.

usage: python -m benchmarks.transparency --work FOLDER [--only TEXT] [--again] [--page FILE]
                                         [--seconds S] [--budget S]

The scripts are those in source distributions of packages; they are downloaded into the folder and
are not changed. Rows are kept in the folder, so that a run that was stopped goes on where it was.
The packages themselves must be installed: benchmarks/data/transparency.txt names them. A run may
take so many seconds of the processor, a check so many of the clock: more on a busy machine.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.transparency.page import Part, page
from benchmarks.transparency.runs import Place, Row, Script, compared, judged
from benchmarks.transparency.sources import SOURCES, WITHOUT, Source, own, tree


class Kept:
    """The rows of a run, on disk as soon as they are known."""

    def __init__(self, folder: Path):
        self._file = folder / "rows.json"
        self._rows: dict[str, dict[str, object]] = {}
        if self._file.exists():
            self._rows = json.loads(self._file.read_text(encoding="utf-8"))

    def get(self, key: str) -> Row | None:
        """The row of a script, if it was run."""
        kept = self._rows.get(key)
        if kept is None:
            return None
        lists = {name: tuple(value) for name, value in kept.items() if isinstance(value, list)}
        return Row(**{**kept, **lists})  # type: ignore[arg-type]

    def put(self, key: str, row: Row) -> None:
        """Keep a row."""
        self._rows[key] = asdict(row)
        self._file.write_text(json.dumps(self._rows, indent=1), encoding="utf-8")


def part(source: Source, given: argparse.Namespace, kept: Kept) -> Part:
    """The rows of a source: those that are kept, and those that are run now."""
    rows = []
    for script in source.scripts:
        key = f"{source.name}/{script.path}"
        row = Row(script.path, reason=script.unreached) if script.unreached else kept.get(key)
        if given.only in key and not script.unreached and (row is None or given.again):
            row = ran(source, script, given)
            kept.put(key, row)
            print(source.name, row, flush=True)
        rows.append(judged(row or Row(script.path, reason="not run this time"), script))
    return Part(source.name, tuple(rows))


def ran(source: Source, script: Script, given: argparse.Namespace) -> Row:
    """One script, both ways and checked."""
    work = given.work.resolve()
    times = (given.seconds, given.budget)
    return compared(script, Place(tree(source, work), work / "stage", *times))


def main() -> None:
    """Run the scripts, print a line for each, and write the page if a file is named."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    flags.add_argument("--work", type=Path, required=True)
    flags.add_argument("--only", default="")
    flags.add_argument("--again", action="store_true")
    flags.add_argument("--seconds", type=float, default=120.0)
    flags.add_argument("--budget", type=float, default=60.0)
    flags.add_argument("--page", type=Path)
    given = flags.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    kept = Kept(given.work)
    parts = [part(source, given, kept) for source in SOURCES]
    ours = part(own(), given, kept)
    if given.page is not None:
        text = page(parts, ours, without=WITHOUT, seconds=given.seconds)
        given.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
