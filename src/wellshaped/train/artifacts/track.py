"""What a run measured, by step: CSV files of our own, and accelerate's trackers beside them."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from wellshaped.files.whole import append_text, publish_text, writing
from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Curves, Series

# Where a run keeps its tables, in its folder.
TABLES: Final = "log"
TRACKERS: Final = {"tensorboard": "tensorboard", "wandb": "wandb"}


class Track:
    """Tables of numbers by step, one CSV for each name given to `write`, in one folder."""

    def __init__(self, folder: str | Path, *, accelerator: Any = None, run: str = "run") -> None:
        self.folder = Path(folder)
        self._headers: dict[str, list[str]] = {}
        self._accelerator = accelerator
        if accelerator is not None and accelerator.log_with:
            self.folder.mkdir(parents=True, exist_ok=True)
            accelerator.init_trackers(run, init_kwargs={"wandb": {"dir": str(self.folder)}})

    def write(self, table: str, step: int, values: Mapping[str, float]) -> None:
        """Add a line to a table; a value without a column gets one."""
        line = {"step": step, **values}
        header = self._headers.get(table) or self._begin(table, line)
        if not line.keys() <= set(header):
            header = self._widen(table, [name for name in line if name not in header])
        row = io.StringIO()
        csv.DictWriter(row, header, lineterminator="\n").writerow(line)
        append_text(self._path(table), row.getvalue())
        if self._accelerator is not None and self._accelerator.log_with:
            named = {f"{table}/{name}": value for name, value in values.items()}
            with writing(self.folder):
                self._accelerator.log(named, step=step)

    def cut(self, step: int) -> None:
        """Take away what was written after a step: the run goes on from there."""
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.glob("*.csv"):
            kept = [line for line in _lines(path) if int(line["step"]) <= step]
            if kept and step:
                self._headers[path.stem] = list(kept[0])
                publish_text(path, _text(list(kept[0]), kept))
            else:
                path.unlink()

    def series(self, table: str) -> tuple[Series, ...]:
        """The columns of a table as curves; what was not measured at a step has no point."""
        found: dict[str, list[tuple[float, float]]] = {}
        for line in _lines(self._path(table)):
            for name, text in line.items():
                if name != "step" and text:
                    found.setdefault(name, []).append((float(line["step"]), float(text)))
        return tuple(Series(name, tuple(points)) for name, points in found.items())

    def curves(self) -> Curves:
        """All that was measured: a panel for each name, with a curve for each table that has it."""
        panels: dict[str, list[Series]] = {}
        for path in sorted(self.folder.glob("*.csv"), reverse=True):  # training first
            for each in self.series(path.stem):
                if each.name != "epoch":
                    panels.setdefault(each.name, []).append(Series(path.stem, each.points))
        return Curves(tuple((name, tuple(found)) for name, found in panels.items()))

    def end(self) -> None:
        """Let the trackers finish their files; the processes stay together."""
        if self._accelerator is not None:
            for tracker in self._accelerator.trackers:
                tracker.finish()

    def _path(self, table: str) -> Path:
        return self.folder / f"{table}.csv"

    def _begin(self, table: str, line: Mapping[str, Any]) -> list[str]:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._headers[table] = list(line)
        publish_text(self._path(table), _text(list(line), []))
        return self._headers[table]

    def _widen(self, table: str, names: list[str]) -> list[str]:
        header = [*self._headers[table], *names]
        publish_text(self._path(table), _text(header, list(_lines(self._path(table)))))
        self._headers[table] = header
        return header


def require_trackers(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of accelerate's trackers; raises where one is not known or not installed."""
    for name in names:
        if name not in TRACKERS:
            known = ", ".join(TRACKERS)
            raise UserError("WS988", "setting_choice", name="track", known=known, got=name)
        if importlib.util.find_spec(TRACKERS[name]) is None:
            raise UserError("WS988", "no_tracker", name=name)
    return names


def _lines(path: Path) -> Iterator[dict[str, str]]:
    """The whole lines of a table; one that a kill cut off is left out."""
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1].splitlines()
    yield from csv.DictReader(whole, restval="")


def _text(header: list[str], lines: list[dict[str, str]]) -> str:
    rows = [header, *([line.get(name, "") for name in header] for line in lines)]
    return "".join(",".join(row) + "\n" for row in rows)
