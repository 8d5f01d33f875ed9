"""A process that has loaded torch once and forks for every command and page of the docs.

What trains is run by a second one, which has loaded what training needs as well.
"""

import contextlib
import importlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.docs.blocks import RAISED

_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)
_FRAMES = re.compile(r"(?<=Traceback \(most recent call last\):\n)(?: .*\n)+")
_TRAINS = re.compile(r"wellshaped\.train|transformers|\"train\"")
_TRAINING = (
    *("wellshaped.train.supervised", "wellshaped.train.reward.scoring", "wellshaped.train.rollout"),
    *("wellshaped.train.tasks.fit", "matplotlib.figure"),
    "transformers.models.gpt2.modeling_gpt2",
)
_ENVIRONMENT = {"NO_COLOR": "1", "WELLSHAPED_LANG": "en", "OMP_NUM_THREADS": "1", "COLUMNS": "80"}


class Server:
    """The processes, each started when it is first needed, and what they are asked to run."""

    def __init__(self) -> None:
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def _process(self, kind: str) -> subprocess.Popen[str]:
        root = Path(__file__).parents[2]
        path = os.pathsep.join([str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")])
        if kind not in self.processes:
            self.processes[kind] = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", "tests.docs.server", kind],
                env={**os.environ, **_ENVIRONMENT, "PYTHONPATH": path},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root,
            )  # fmt: skip
        return self.processes[kind]

    def command(self, line: str, folder: Path) -> str:
        """What a command prints, frames of tracebacks left out: they are of this machine."""
        line, quiet, _ = line.partition(" 2>/dev/null")
        name, *arguments = shlex.split(line)
        assert name in ("wellshaped", "python"), f"this cannot be run: {line}"
        job = {"command": [name, *arguments], "folder": str(folder), "quiet": bool(quiet)}
        return self._asked(job)[0]

    def python(self, sources: list[str], folder: Path) -> list[str]:
        """What each of some pieces of code prints, one after the other in one namespace."""
        return self._asked({"sources": sources, "folder": str(folder)}) if sources else []

    def _asked(self, job: dict[str, Any]) -> list[str]:
        text = json.dumps(job)
        process = self._process("training" if _TRAINS.search(text) else "usual")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text + "\n")
        process.stdin.flush()
        found: list[str] = json.loads(process.stdout.readline())
        return [_BLANKS.sub("", _FRAMES.sub("  ...\n", each)) for each in found]

    def close(self) -> None:
        """End the processes."""
        for process in self.processes.values():
            process.communicate()


def serve(kind: str) -> None:
    """Read jobs, one on each line, and fork for each."""
    import torch

    torch.set_num_threads(1)
    import wellshaped.pipeline.fix
    import wellshaped.pipeline.picture  # noqa: F401 - loaded once, for all

    for name in _TRAINING if kind == "training" else ():
        importlib.import_module(name)
    for line in sys.stdin:
        job = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "results"
            child = os.fork()
            if child == 0:
                _carry_out(job, results)
            os.waitpid(child, 0)
            found = results.read_text(encoding="utf-8") if results.exists() else '["died\\n"]'
        print(found, flush=True)


def _carry_out(job: dict[str, Any], results: Path) -> None:
    os.chdir(job["folder"])
    found = [_commanded(job, results)] if "command" in job else _evaluated(job["sources"])
    results.write_text(json.dumps(found), encoding="utf-8")
    os._exit(0)


def _commanded(job: dict[str, Any], results: Path) -> str:
    """Run a command in a child of its own, with its output as a terminal would show it."""
    shown = results.with_name("shown")
    child = os.fork()
    if child == 0:
        out = os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY) if job["quiet"] else out, 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", buffering=1, encoding="utf-8", closefd=False)
            for number in (1, 2)
        )
        status = 1
        try:
            status = _program(job["command"])
        finally:
            sys.stdout.flush()
            os._exit(status)
    os.waitpid(child, 0)
    return shown.read_text(encoding="utf-8")


def _program(command: list[str]) -> int:
    name, *arguments = command
    sys.argv = [name, *arguments]
    if name == "python":
        import runpy

        sys.path.insert(0, os.getcwd())
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
        return 0
    from wellshaped.cli import main

    return main(arguments)


def _evaluated(sources: list[str]) -> list[str]:
    """Code of a page, as one would type it; an exception is shown by its last line."""
    import linecache

    names: dict[str, Any] = {"__name__": "__main__"}
    sys.path.insert(0, os.getcwd())
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
    return found


if __name__ == "__main__":
    serve(sys.argv[1])
