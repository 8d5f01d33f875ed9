"""Runs a program in a forked child and a sandbox: at another batch size, with other source."""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import os
import pickle
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any, Literal

import torch

from wellshaped.observe.frames import is_library, stops
from wellshaped.observe.guard import guard
from wellshaped.observe.loaders import steered_loaders
from wellshaped.observe.postmortem import observe_exception
from wellshaped.observe.program import Program, execute
from wellshaped.observe.sandbox import Note, sandboxed
from wellshaped.observe.weightless import weightless
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.source import Place

How = Literal["ended", "raised", "late", "died"]
Weights = Literal["real", "fake"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run differs by: a batch size for the loaders, short loaders, other source text.

    With fake weights the data is real and everything behind a weight is shape and dtype.
    """

    batch: int | None = None
    whole: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)
    weights: Weights = "real"


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a run."""

    setting: Setting
    how: How
    status: int = 0
    observation: Observation | None = None
    error: str = ""
    place: Place | None = None
    hazards: tuple[LossCall, ...] = ()
    sizes: tuple[int, ...] = ()
    met: tuple[int, ...] = ()
    current: int | None = None
    output: str = ""
    seconds: float = 0.0
    refused: tuple[Note, ...] = ()


class _TimeUp(BaseException):
    """The budget of a run is spent."""


@dataclass(frozen=True, slots=True)
class Started:
    """A run that is under way in a child."""

    setting: Setting
    pid: int
    reading: int
    scratch: Path
    deadline: float


def rerun(program: Program, setting: Setting, *, seconds: float) -> Ran:
    """Run the program in a forked child and return what it saw; nothing of the user's changes."""
    return finish(start(program, setting, seconds=seconds))


@cache
def warm() -> None:
    """Load once what every child would load for itself.

    The first optimizer of a program imports `torch._dynamo`, which takes a second and more
    (torch 2.13); the guard compiles the losses.
    """
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="wellshaped-") as folder:
        # It makes a folder for a compiler nobody asked for, and names it in the environment.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        importlib.import_module("torch._dynamo")
    os.environ.pop("TORCHINDUCTOR_CACHE_DIR")
    os.environ.update(before)
    with guard("record"):
        pass


def start(program: Program, setting: Setting, *, seconds: float) -> Started:
    """Begin a run; every run that is started must be finished."""
    # A forked child hangs in its first parallel region if this process has had one: with one
    # thread OpenMP never makes the pool the child would wait for (torch 2.13).
    torch.set_num_threads(1)
    warm()
    reading, writing = os.pipe()
    scratch = Path(tempfile.mkdtemp(prefix="wellshaped-"))
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _child(program, setting, writing, scratch, seconds)
    os.close(writing)
    return Started(setting, pid, reading, scratch, time.monotonic() + seconds + 5)


def finish(started: Started) -> Ran:
    """Wait for a run and return what it saw."""
    try:
        data = _received(started)
    finally:
        os.close(started.reading)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(started.pid, 0)
        shutil.rmtree(started.scratch, ignore_errors=True)
    if data is None:
        return Ran(started.setting, "died")
    found: Ran = pickle.loads(data)
    return found


def _received(started: Started) -> bytes | None:
    parts: list[bytes] = []
    while True:
        left = max(0.0, started.deadline - time.monotonic())
        ready, _, _ = select.select([started.reading], [], [], left)
        if not ready:
            os.kill(started.pid, signal.SIGKILL)
            return None
        part = os.read(started.reading, 1 << 20)
        if not part:
            return b"".join(parts) or None
        parts.append(part)


def _child(program: Program, setting: Setting, writing: int, scratch: Path, seconds: float) -> None:
    """The forked child: never returns."""
    try:
        output = _own_streams(scratch)
        ran = _observed(program, setting, scratch, seconds, output)
        data = pickle.dumps(ran)
    except BaseException as error:
        data = pickle.dumps(Ran(setting, "died", error=f"{type(error).__name__}: {error}"))
    with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
        pipe.write(data)
    os._exit(0)


def _own_streams(scratch: Path) -> Path:
    """The child's output goes to a file, its input is empty."""
    output = scratch / "output"
    target = os.open(output, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(target, 1)
    os.dup2(nothing, 2)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    return output


def _observed(
    program: Program, setting: Setting, scratch: Path, seconds: float, output: Path
) -> Ran:
    start = time.monotonic()
    seen: list[tuple[Observation | None, str, Place | None]] = []

    def on_exception(error: BaseException) -> None:
        observation = observe_exception(error, watch.suspects)
        text = f"{type(error).__name__}: {error}"
        seen.append((observation, text, _user_place(error)))

    how: How = "ended"
    status = 0
    with (
        guard("record", everywhere=True) as watch,
        steered_loaders(setting.batch, whole=setting.whole) as loaders,
        _other_source(setting.sources),
        weightless() if setting.weights == "fake" else contextlib.nullcontext(),
        sandboxed(scratch / "overlay") as sandbox,
    ):
        try:
            with _limited(seconds):
                status = execute(program, on_exception=on_exception).status
        except _TimeUp:
            how = "late"
    if seen and isinstance_time_up(seen[0][1]):
        how, seen = "late", []
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    observation, error, place = seen[0] if seen else (None, "", None)
    return Ran(
        setting,
        "raised" if seen else how,
        status,
        observation,
        error,
        place,
        watch.suspects,
        tuple(sorted(loaders.sizes)),
        tuple(sorted(loaders.met)),
        loaders.current,
        output.read_text(errors="replace"),
        time.monotonic() - start,
        tuple(note for note in sandbox.notes if note.kind == "refused"),
    )


def isinstance_time_up(text: str) -> bool:
    """Whether the exception a program ended with is our own clock."""
    return text.startswith(f"{_TimeUp.__name__}:")


def _user_place(error: BaseException) -> Place | None:
    found = [stop for stop in stops(error.__traceback__) if not is_library(stop.file)]
    return found[-1].place if found else None


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise _TimeUp

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _source_of(compiled: str) -> str:
    try:
        return os.path.realpath(source_from_cache(compiled))
    except ValueError:  # a compiled file that has no source
        return ""


@contextlib.contextmanager
def _other_source(sources: Mapping[str, str]) -> Iterator[None]:
    """Files whose text is another one for this run: the program itself, or its modules."""
    texts = {os.path.realpath(file): text for file, text in sources.items()}
    for file, text in sources.items():
        lines = text.splitlines(keepends=True)
        linecache.cache[file] = (len(text), None, lines, file)
    plain_open, plain_data = io.open_code, SourceFileLoader.get_data

    def open_code(path: str) -> Any:
        text = texts.get(os.path.realpath(path))
        return plain_open(path) if text is None else io.BytesIO(text.encode())

    def get_data(self: Any, path: str) -> bytes:
        text = texts.get(os.path.realpath(path))
        if text is not None:
            return text.encode()
        if path.endswith(".pyc") and texts and _source_of(path) in texts:
            raise OSError("compiled from another source")
        data: bytes = plain_data(self, path)
        return data

    io.open_code = open_code
    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    try:
        yield
    finally:
        io.open_code = plain_open
        SourceFileLoader.get_data = plain_data  # type: ignore[method-assign]
