"""Checks programs that try to leave a trace, with and without Landlock, and tells what was left.

usage: python -m benchmarks.traces [--only TEXT] [--page FILE]

Each program runs in a home folder of its own. After its check that folder, the folder for
temporary files, shared memory, the queues of the kernel, the processes, and sockets that wait for
a visitor are looked at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.traces.page import Row, into_page, table
from benchmarks.traces.trial import tried, warm
from benchmarks.traces.way import ways


def main() -> None:
    """Try each way both ways, print a line for it, and the table or the page at the end."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    flags.add_argument("--only", default="", help="ways with this text in kind or name")
    flags.add_argument("--page", type=Path, help="the page to put the table into")
    given = flags.parse_args()
    warm()
    rows: list[Row] = []
    for way in ways():
        if given.only in f"{way.kind} {way.name}":
            rows.append((way, tried(way, landlock=True), tried(way, landlock=False)))
            print(way.name, rows[-1][1:], sep="  ", flush=True)
    if given.page:
        into_page(given.page, rows)
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
