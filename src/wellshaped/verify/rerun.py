"""Runs a program in a forked child and a sandbox: at another batch size, with other source."""

from __future__ import annotations

import contextlib
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
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, Literal

import torch

from wellshaped.notebook.splice import whole_texts
from wellshaped.observe.compiler import defer_compiler
from wellshaped.observe.follow import Follow, followed
from wellshaped.observe.frames import is_library, stops
from wellshaped.observe.gradients import Noted, Reach, gradients_noted
from wellshaped.observe.guard import guard
from wellshaped.observe.hazards import hazards_seen
from wellshaped.observe.lineage import Lineage
from wellshaped.observe.loaders import Loaders, steered_loaders
from wellshaped.observe.postmortem import observe_exception
from wellshaped.observe.program import Program, execute
from wellshaped.observe.sandbox import Note, sandboxed
from wellshaped.observe.weighted import TooLarge, Weighed, weighted
from wellshaped.observe.weightless import Run, StandIn, weightless
from wellshaped.records.broadcast import Broadcast
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.source import Place

How = Literal["ended", "raised", "late", "died", "large"]
Weights = Literal["auto", "real", "fake"]
# Elements up to which a model is given values: with its gradients and the state of its optimizer
# it stays below a gigabyte, and real values find more than shapes do.
FITS = 50_000_000


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run differs by: a batch size for the loaders, short loaders, other source text.

    With fake weights the data is real and everything behind a weight is shape and dtype; with
    `auto` they are real, and the run ends as `large` where the model does not fit. Loops that
    show nothing new are ended early once `patience` seconds are over. A traced run follows
    every tensor to where it comes from, and is slower for it; it lists `broadcasts` if asked to.
    """

    batch: int | None = None
    whole: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)
    weights: Weights = "real"
    patience: float = 0.0
    traced: bool = False
    broadcasts: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Unreached:
    """Lines that a run never came to."""

    file: str
    line: int
    end_line: int
    function: str


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a run.

    `sizes` are the batch sizes its loaders were asked for, `met` the numbers of rows that came,
    the last one `current`; without loaders, the first sizes of what its models were given.
    `axes` are the other sizes that its models and losses met. `whole_batches_only` is whether
    every loader drops its last partial batch. `files` are the texts of the program's own files;
    `shortened` is whether a loop or a loader was ended early, `followed` whether every tensor was.
    """

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
    axes: frozenset[int] = frozenset()
    whole_batches_only: bool = False
    unreached: tuple[Unreached, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    shortened: bool = False
    output: str = ""
    seconds: float = 0.0
    refused: tuple[Note, ...] = ()
    gradients: Reach = field(default_factory=Reach)
    silent: tuple[Observation, ...] = ()
    broadcasts: tuple[Broadcast, ...] = ()
    followed: bool = False


class TimeUp(BaseException):
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
def _prepare_guard() -> None:
    """Compile the losses once: every child starts with what is there."""
    with guard("record"):
        pass


@cache
def _prepare_fakes() -> None:
    """Load once what fake tensors load: torch's compiler, two seconds (torch 2.13)."""
    before = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    with tempfile.TemporaryDirectory(prefix="wellshaped-") as folder:
        # It makes a folder for compiled code nobody asked for, and names it in the environment.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = before or folder
        with weightless():
            torch.nn.Linear(2, 1)(torch.zeros(3, 2))
    if before is None:
        os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)


def start(program: Program, setting: Setting, *, seconds: float) -> Started:
    """Begin a run; every run that is started must be finished."""
    # A forked child hangs in its first parallel region if this process has had one: with one
    # thread OpenMP never makes the pool the child would wait for (torch 2.13).
    torch.set_num_threads(1)
    _prepare_guard()
    if setting.weights == "fake":
        _prepare_fakes()
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
    warnings.resetwarnings()  # whatever turned them into errors here is not the program's
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
        if isinstance(error, (TimeUp, TooLarge)):
            raise error  # ours, and nothing to look into
        if trace is not None:
            trace.paused = True
        observation = observe_exception(error, watch.suspects)
        text = f"{type(error).__name__}: {error}"
        seen.append((observation, text, user_place_of(error)))

    how: How = "ended"
    status = 0
    defer_compiler()
    tracing = setting.traced and setting.weights != "fake"
    with (
        guard("record", everywhere=True) as watch,
        _other_source(setting.sources),
        followed(setting.patience) as follow,
        steered_loaders(setting.batch, whole=setting.whole, hurry=follow.in_a_hurry) as loaders,
        _weights(setting.weights) as weights,
        gradients_noted(entries=bool(setting.sources)) as gradients,
        sandboxed(scratch / "overlay") as sandbox,
        _hazards(loaders, gradients, setting) if tracing else contextlib.nullcontext() as trace,
    ):
        try:
            with limited(seconds):
                status = execute(
                    program, on_exception=on_exception, compiled=follow.compiled
                ).status
        except TimeUp:
            how = "late"
        except TooLarge:
            how = "large"
    if isinstance(weights, Weighed) and weights.too_large:
        how, seen = "large", []
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    observation, error, place = seen[0] if seen else (None, "", None)
    whole = how == "ended" and not seen and not (follow.shortened or loaders.shortened)
    return Ran(
        setting,
        "raised" if seen else how,
        status,
        observation,
        error,
        place,
        watch.suspects,
        tuple(sorted(loaders.sizes)),
        tuple(sorted(loaders.met or follow.leading)),
        loaders.current if loaders.met else follow.current,
        frozenset(follow.axes),
        loaders.whole_batches_only,
        tuple(_unreached(follow)),
        weights.stand_ins if isinstance(weights, Run) else (),
        {file: _text(file) for file in follow.blocks},
        follow.shortened or loaders.shortened,
        output.read_text(errors="replace"),
        time.monotonic() - start,
        tuple(note for note in sandbox.notes if note.kind == "refused"),
        gradients.reach(),
        _certain(trace.observations, whole) if trace is not None else (),
        tuple(trace.broadcasts.values()) if trace is not None else (),
        trace is not None and not trace.ended,
    )


def _hazards(
    loaders: Loaders, gradients: Noted, setting: Setting
) -> contextlib.AbstractContextManager[Lineage]:
    return hazards_seen(loaders, gradients, broadcasts=setting.broadcasts)


def _certain(found: tuple[Observation, ...], whole: bool) -> tuple[Observation, ...]:
    """What was found; of what may hold for some turns of a loop only, what a whole run showed."""
    return tuple(each for each in found if whole or not each.options.get("in_a_branch"))


def _unreached(follow: Follow) -> Iterator[Unreached]:
    for file, block in follow.unreached():
        yield Unreached(file, block.line, block.end_line, block.function)


def _text(file: str) -> str:
    return "".join(linecache.getlines(file))


def _weights(kind: Weights) -> contextlib.AbstractContextManager[Run | Weighed]:
    if kind == "fake":
        return weightless()
    return weighted(FITS if kind == "auto" else None)


def user_place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's that an exception passed."""
    found = [stop for stop in stops(error.__traceback__) if not is_library(stop.file)]
    return found[-1].place if found else None


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeUp` inside when the time is over."""

    def ring(*_: object) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, ring)
    # Again and again: python drops an exception that comes while it collects garbage.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def _other_source(sources: Mapping[str, str]) -> Iterator[None]:
    """Files whose text is another one for this run: the program itself, or its modules."""
    sources = whole_texts(sources)
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
        data: bytes = plain_data(self, path)
        return data

    io.open_code = open_code
    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    try:
        yield
    finally:
        io.open_code = plain_open
        SourceFileLoader.get_data = plain_data  # type: ignore[method-assign]
