"""The page docs/transparency.md, written from the rows of one run."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from benchmarks.transparency.runs import Row

HEAD = """\
# Transparency: the same run with and without the tool

Training scripts of other packages, found in their source distributions and not changed by a
letter, run by `python` and by `wellshaped run`: standard output, exit status and the weights after
every step of every optimizer are compared. Then `wellshaped check` looks at them.

{summary}

Written by `python -m benchmarks.transparency` on {date}: torch {torch}, Python {python}, one
thread, at most {seconds:.0f} seconds of the processor for a run. Every run starts in a fresh copy
of the script's folder. Random numbers are seeded from outside, the same for both, since most
scripts choose no seed. Numbers of standard output that differ between two plain runs too (clocks,
dates) are left out of the comparison, and counted. Scripts that look for MNIST, Fashion-MNIST or
EMNIST find made-up pictures in files of that format: what they learn is worth nothing, but both
runs must learn the same. The last column tells seconds of the processor.
"""

COLUMNS = (
    "| script | steps | stdout, status, weights | `check` | plain, `run`, `check` |",
    "|---|---|---|---|---|",
)


@dataclass(frozen=True)
class Part:
    """The rows of one package."""

    name: str
    rows: tuple[Row, ...]


def page(parts: list[Part], *, seconds: float) -> str:
    """The whole page: what was run both ways, package by package, and what was not, and why."""
    head = HEAD.format(
        summary=summary(parts),
        date=datetime.now(UTC).date().isoformat(),
        torch=version("torch").partition("+")[0],
        python=platform.python_version(),
        seconds=seconds,
    )
    ran = "\n".join(_ran(part) for part in parts if any(not row.reason for row in part.rows))
    missed = [
        f"| `{row.script}` | {p.name} | {row.reason} |"
        for p in parts
        for row in p.rows
        if row.reason
    ]
    lines = ["## Not reached", "", "| script | package | why |", "|---|---|---|", *missed]
    return head + "\n" + ran + "\n" + "\n".join(lines) + "\n"


def summary(parts: list[Part]) -> str:
    """How many scripts agree, and how many findings there were."""
    rows = [row for part in parts for row in part.rows if not row.reason]
    same = sum(not row.differs for row in rows)
    quiet = sum(not row.check for row in rows)
    packages = sum(any(not row.reason for row in part.rows) for part in parts)
    return (
        f"**{same} of {len(rows)} scripts of {packages} packages, this repository among them, ran"
        f" the same both ways; `check` was quiet on {quiet} of them**, and what it said of the"
        " others is judged in the tables."
    )


def _ran(part: Part) -> str:
    lines = [f"## {part.name}", "", *COLUMNS]
    lines += [_line(row) for row in part.rows if not row.reason]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    check = "<br>".join(row.check) or "quiet"
    seconds = ", ".join(f"{each:.0f}" for each in row.seconds)
    started = " ".join(
        ("`" + " ".join((row.script, *row.arguments)) + "`", *(f"({each})" for each in row.data))
    )
    return f"| {started} | {row.steps} | {_same(row)} | {check} | {seconds} |"


def _same(row: Row) -> str:
    if row.differs:
        return "differs: " + ", ".join(row.differs)
    status = f", status {row.status}" if row.status else ""
    clocks = f", but for {row.clocks} clocks" if row.clocks else ""
    return f"same{status}{clocks}"
