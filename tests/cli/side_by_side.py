"""Runs one program twice, with plain python and with `wellshaped run`, and holds them together."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LIMIT = 60  # seconds; a program that hangs is a difference too
# Without what the person who runs the tests has set for python, such as PYTHONUNBUFFERED.
_ENVIRONMENT = {
    key: value
    for key, value in os.environ.items()
    if not key.startswith("PYTHON") or key == "PYTHONPATH"
}
# Otherwise whoever compiles a module first shows its warnings, and the other does not.
_ENVIRONMENT["PYTHONDONTWRITEBYTECODE"] = "1"


@dataclass(frozen=True)
class Result:
    status: int
    stdout: str
    stderr: str


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def both(
    folder: Path,
    *command: str,
    flags: tuple[str, ...] = (),
    stdin: str = "",
    merged: bool = False,
) -> tuple[Result, Result]:
    """The program under plain python, and under `wellshaped run`."""
    processes = [
        subprocess.Popen(
            [sys.executable, *flags, *launcher, *command],
            cwd=folder,
            env=_ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        )
        for launcher in ((), ("-m", "wellshaped", "run"))
    ]
    plain, ours = (_result(process, stdin) for process in processes)
    return plain, ours


def same(folder: Path, *command: str, **how) -> Result:
    """How the program ends under plain python, which is how it ends under `wellshaped run`."""
    plain, ours = both(folder, *command, **how)
    assert ours == plain, f"python:\n{_shown(plain)}\n\nwellshaped run:\n{_shown(ours)}"
    return plain


def _shown(result: Result) -> str:
    return f"status {result.status}\n{result.stdout}\n{result.stderr}"


def _result(process: subprocess.Popen[bytes], stdin: str) -> Result:
    out, err = process.communicate(stdin.encode(), timeout=LIMIT)
    return Result(process.returncode, _text(out), _text(err or b""))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
