"""The page docs/transparency.md, written from the rows that are kept."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from benchmarks.transparency.runs import Row

HEAD = """\
# Transparency: the same run with and without the tool

Training scripts of other packages, as their source distributions hold them, and programs of this
repository, run by `python` and by `wellshaped run`: standard output, exit status and the weights
after every step of every optimizer are compared. Then `wellshaped check` looks at them.

{summary}

Written by `python -m benchmarks.transparency` on {date}: torch {torch}, Python {python}, one
thread. A run may take {seconds:.0f} seconds of the processor, and starts in a fresh copy of the
script's folder; scripts are not changed, and are made short by their own options. Random numbers
are seeded from outside, the same for both runs, since most scripts choose no seed. Numbers of
standard output that two plain runs do not share either (clocks, steps per second) are left out of
the comparison, and counted. Where a script looks for MNIST, Fashion-MNIST or EMNIST it finds
made-up pictures in files of that format: what it learns is worth nothing, but both runs must learn
the same. A status other than 0 is the script's own: it fails so without the tool too, and where no
step was made there are no weights to compare. Rows are kept as they are made: they may be of
several sittings, with changes of the tool and of this benchmark between them. A torchvision built
for GPUs does not load beside a torch without them; three lines that register its operations were
taken out of the installed package. The last column tells seconds of the processor.
"""

MADE = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "emnist": "EMNIST"}


@dataclass(frozen=True)
class Part:
    """The rows of one package, or of this repository."""

    name: str
    rows: tuple[Row, ...]

    @property
    def ran(self) -> list[Row]:
        """The scripts that were run both ways."""
        return [row for row in self.rows if not row.reason]


def page(parts: list[Part], own: Part, *, without: tuple[str, ...], seconds: float) -> str:
    """What was run both ways, what was not and why, and where no script was found."""
    head = HEAD.format(
        summary=summary(parts, own),
        date=datetime.now(UTC).date().isoformat(),
        torch=version("torch").partition("+")[0],
        python=platform.python_version(),
        seconds=seconds,
    )
    missed = [
        f"| {part.name} | `{row.script}` | {row.reason} |"
        for part in (*parts, own)
        for row in part.rows
        if row.reason
    ]
    blocks = [
        head,
        "## Scripts of other packages\n",
        _table(parts),
        "## Programs of this repository\n",
        _table([own]),
        "## Not reached\n",
        "\n".join(("| package | script | why |", "|---|---|---|", *missed)) + "\n",
        "## Nothing to run\n",
        f"No training script was found in the source distributions of {', '.join(without)}.\n",
    ]
    return "\n".join(blocks)


def summary(parts: list[Part], own: Part) -> str:
    """How many scripts agree, and on how many `check` was quiet."""
    others = [row for part in parts for row in part.ran]
    rows = [*others, *own.ran]
    same, quiet = (sum(not tell(row) for row in rows) for tell in (_differs, _said))
    packages = sum(bool(part.ran) for part in parts)
    return (
        f"**{same} of {len(rows)} ran the same both ways**: {len(others)} scripts of {packages}"
        f" packages and {len(own.ran)} programs of this repository. `check` was quiet on {quiet};"
        " what it said of the others is judged in the tables."
    )


def _differs(row: Row) -> bool:
    return bool(row.differs)


def _said(row: Row) -> bool:
    return bool(row.check)


def _table(parts: list[Part]) -> str:
    lines = [
        "| package | script | steps | stdout, status, weights | `check` | plain, `run`, `check` |",
        "|---|---|---|---|---|---|",
    ]
    lines += [f"| {part.name} | {_line(row)} |" for part in parts for row in part.ran]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    started = f"`{' '.join((row.script, *row.arguments))}`"
    data = "".join(f", made-up {MADE[each.partition(':')[0]]}" for each in row.data)
    check = "<br>".join(row.check) or "quiet"
    seconds = ", ".join(f"{each:.0f}" for each in row.seconds)
    return f"{started}{data} | {row.steps} | {_same(row)} | {check} | {seconds}"


def _same(row: Row) -> str:
    if row.differs:
        return "differs: " + ", ".join(row.differs)
    status = f", status {row.status}" if row.status else ""
    clocks = f", clocks left out: {row.clocks}" if row.clocks else ""
    return f"same{status}{clocks}"
