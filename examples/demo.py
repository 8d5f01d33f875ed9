"""Runs three short programs that go wrong at a loss, and shows what `wellshaped run` says of each.

usage: python -m examples.demo [crash] [last_batch] [silent]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
TITLES = {
    "crash": "It crashes.",
    "last_batch": "It crashes later: on the one batch of size 1.",
    "silent": "It does not crash.",
}


def show(name: str) -> str:
    """Run one program and return its own output, its last words, and the diagnosis."""
    command = [sys.executable, "-m", "wellshaped", "run", f"{name}.py"]
    color = {} if "NO_COLOR" in os.environ or not sys.stdout.isatty() else {"FORCE_COLOR": "1"}
    ran = subprocess.run(
        command, cwd=FOLDER, env={**os.environ, **color}, capture_output=True, text=True
    )
    own, found, diagnosis = ran.stderr.partition("\nerror[")
    last = own.strip().splitlines()[-1:] if ran.returncode else []
    parts = [f"{TITLES[name]}\n", f"$ wellshaped run {name}.py", ran.stdout.rstrip()]
    parts += [_cut(line) for line in last]
    parts.append(found + diagnosis.rstrip() if found else "no diagnosis")
    return "\n".join(part for part in parts if part)


def _cut(line: str) -> str:
    return line if len(line) <= 80 else f"{line[:76]} ..."


def main() -> None:
    """Show the programs that were named, or all of them."""
    names = sys.argv[1:] or list(TITLES)
    for place, name in enumerate(names):
        if name not in TITLES:
            sys.exit(f"WS930: no such demo: {name!r}; there are {', '.join(TITLES)}")
        print("\n" + "-" * 80 + "\n" if place else "", end="")
        print(show(name))


if __name__ == "__main__":
    main()
