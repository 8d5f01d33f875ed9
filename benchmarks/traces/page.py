"""The results as a table in Markdown, put into a page between two marks."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from benchmarks.traces.trial import Result
from benchmarks.traces.way import Way

START, END = "<!-- traces:start -->", "<!-- traces:end -->"
Row = tuple[Way, Result, Result]


def into_page(page: Path, rows: list[Row]) -> None:
    """Replace what stands between the marks of the page."""
    head, _, rest = page.read_text(encoding="utf-8").partition(START)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError(f"{page} lacks the marks {START} and {END}")
    page.write_text(f"{head}{START}\n{table(rows)}\n{END}{tail}", encoding="utf-8")


def table(rows: list[Row]) -> str:
    """What came of each way, and a line that counts them."""
    lines = [_counted(rows), ""]
    for kind, group in groupby(rows, key=lambda row: row[0].kind):
        lines += [f"### {kind[0].upper()}{kind[1:]}", ""]
        lines += ["| way | with Landlock | without | the check |", "|---|---|---|---|"]
        lines += [_line(*row) for row in group]
        lines.append("")
    return "\n".join(lines).rstrip()


def _line(way: Way, locked: Result, free: Result) -> str:
    return f"| {_cell(way.name)} | {_told(locked)} | {_told(free)} | {_check(locked, free)} |"


def _told(result: Result) -> str:
    if not result.traces:
        return result.what
    return f"**{result.what}**: {_cell('; '.join(dict.fromkeys(result.traces)))}"


def _check(locked: Result, free: Result) -> str:
    said = ["goes on" if result.went_on else "stops" for result in (locked, free)]
    return said[0] if said[0] == said[1] else f"{said[0]}; without: {said[1]}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _counted(rows: list[Row]) -> str:
    kernel = ".".join(platform.release().split(".")[:2])
    today = datetime.now(tz=UTC).date()
    counts = [_leaving(rows, place) for place in (1, 2)]
    return (
        f"{len(rows)} ways were tried on {today}, on Linux {kernel} and Python"
        f" {platform.python_version()}: {counts[0]} left a trace with Landlock,"
        f" {counts[1]} without it."
    )


def _leaving(rows: Iterable[Row], place: int) -> int:
    return sum(bool(row[place].traces) for row in rows)  # type: ignore[union-attr]
