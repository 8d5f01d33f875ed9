"""Runs every command and page of the docs in a fork of a process that has loaded what it needs."""

import contextlib
import io
import json
import linecache
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from tests import warm
from tests.docs.blocks import RAISED

_ROOT = Path(__file__).parents[2]
_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)
_FRAMES = re.compile(r"(?<=Traceback \(most recent call last\):\n)(?: .*\n)+")
_TRAINS = re.compile(r"wellshaped\.train|transformers|^wellshaped train\b", re.MULTILINE)
_ENVIRONMENT = {"NO_COLOR": "1", "WELLSHAPED_LANG": "en", "OMP_NUM_THREADS": "1", "COLUMNS": "80"}
_EVALUATE = "from tests.docs.commands import evaluate; evaluate()"


def command(line: str, folder: Path) -> str:
    """What a command prints, frames of tracebacks left out: they are of this machine."""
    line, quiet, _ = line.partition(" 2>/dev/null")
    name, *arguments = shlex.split(line)
    assert name in ("wellshaped", "python"), f"this cannot be run: {line}"
    given = ["-m", "wellshaped", *arguments] if name == "wellshaped" else arguments
    return _plain(_run(line, given, folder, merged=not quiet).decode())


def python(sources: list[str], folder: Path) -> list[str]:
    """What each of some pieces of code prints, one after the other in one namespace."""
    if not sources:
        return []
    printed = _run("\n".join(sources), ["-c", _EVALUATE], folder, given=json.dumps(sources))
    return [_plain(each) for each in json.loads(printed)]


def _run(
    text: str, arguments: list[str], folder: Path, *, given: str = "", merged: bool = False
) -> bytes:
    path = os.pathsep.join([str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    ran = warm.run(
        ["-W", "ignore", *arguments],
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT, "PYTHONPATH": path},
        input=given,
        kind="training" if _TRAINS.search(text) else "usual",
        merged=merged,
    )
    found: bytes = ran.stdout
    return found


def _plain(text: str) -> str:
    return _BLANKS.sub("", _FRAMES.sub("  ...\n", text))


def evaluate() -> None:
    """Run code of a page, as one would type it; an exception is shown by its last line."""
    sources = json.load(sys.stdin)
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for place, source in enumerate(sources):
        file = f"block{place + 1}.py"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(source, file, "exec"), names)
            except Exception as error:
                print(f"{RAISED}{type(error).__name__}: {error}")
        found.append(out.getvalue())
    print(json.dumps(found))
