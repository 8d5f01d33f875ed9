"""Runs a program in a forked child and a sandbox: at another batch size, with other source."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import torch

from wellshaped.observe.asked import pictures_asked
from wellshaped.observe.compiler import defer_compiler
from wellshaped.observe.follow import Follow, followed
from wellshaped.observe.frames import is_library, stops
from wellshaped.observe.gradients import Noted, gradients_noted
from wellshaped.observe.grown import grown_before
from wellshaped.observe.guard import guard
from wellshaped.observe.hazards import hazards_seen
from wellshaped.observe.heads import split_before
from wellshaped.observe.lineage import Lineage
from wellshaped.observe.loaders import Loaders, steered_loaders
from wellshaped.observe.postmortem import observe_exception
from wellshaped.observe.program import Program, execute
from wellshaped.observe.sandbox import sandboxed
from wellshaped.observe.weighted import TooLarge, Weighed, weighted
from wellshaped.observe.weightless import Run, weightless
from wellshaped.records.observation import Observation
from wellshaped.records.source import Place
from wellshaped.verify.child import Child, begin, drop, end, tell
from wellshaped.verify.clock import TimeUp, limited
from wellshaped.verify.keeper import kept_folder
from wellshaped.verify.other_source import other_source
from wellshaped.verify.preload import preload
from wellshaped.verify.ran import How, Ran, Setting, Unreached, Weights

# Elements up to which a model is given values: with its gradients and the state of its optimizer
# it stays below a gigabyte, and real values find more than shapes do.
FITS = 50_000_000


@dataclass(frozen=True, slots=True)
class Started:
    """A run that is under way in a child."""

    setting: Setting
    child: Child


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
    with kept_folder() as folder:
        # It makes a folder for compiled code nobody asked for, and names it in the environment.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = before or str(folder)
        with weightless():
            torch.nn.Linear(2, 1)(torch.zeros(3, 2))
    if before is None:
        os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)


@cache
def _prepare_pictures() -> None:
    """Load once what tensors without data load: half of sympy, a second (torch 2.13)."""
    torch.nn.functional.linear(torch.empty(2, 3, device="meta"), torch.empty(1, 3, device="meta"))


def start(program: Program, setting: Setting, *, seconds: float) -> Started:
    """Begin a run; every run that is started must be finished."""
    # A forked child hangs in its first parallel region if this process has had one: with one
    # thread OpenMP never makes the pool the child would wait for (torch 2.13).
    torch.set_num_threads(1)
    _prepare_guard()
    preload(program)
    if pictures_asked():
        _prepare_pictures()
    if setting.weights == "fake":
        _prepare_fakes()

    def work(scratch: Path) -> Ran:
        warnings.resetwarnings()  # whatever turned them into errors here is not the program's
        return _observed(program, setting, scratch, seconds, _own_streams(scratch))

    return Started(setting, begin(work, seconds=seconds))


def outcome(child: Child, setting: Setting) -> Ran:
    """Wait for a run; one that died is what it had told before, and why it did."""
    found: Ran | None = end(child)
    if found is not None:
        return found
    so_far: Ran = child.so_far or Ran(setting, "died")
    return replace(so_far, how="late" if child.how == "late" else "died", error=child.reason)


def finish(started: Started) -> Ran:
    """Wait for a run and return what it saw."""
    return outcome(started.child, started.setting)


@contextlib.contextmanager
def all_ended(runs: Sequence[Started]) -> Iterator[None]:
    """Whatever is raised inside, Ctrl-C as well, ends the runs that were started."""
    try:
        yield
    finally:
        for each in runs:
            drop(each.child)


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
        if trace is not None:
            observation = split_before(trace, grown_before(trace, observation))
        text = f"{type(error).__name__}: {error}"
        seen.append((observation, text, user_place_of(error)))

    def died() -> Ran:
        """What counts if the program ends this process: it may be killed at any time."""
        return Ran(
            setting,
            "died",
            hazards=watch.suspects,
            sizes=tuple(sorted(loaders.sizes)),
            met=tuple(sorted(loaders.met or follow.leading)),
            current=loaders.current if loaders.met else follow.current,
            silent=_certain(trace.observations, False) if trace is not None else (),
        )

    how: How = "ended"
    status = 0
    defer_compiler()
    tracing = setting.traced and setting.weights != "fake"
    with (
        guard("record", everywhere=True) as watch,
        other_source(setting.sources),
        followed(setting.patience) as follow,
        steered_loaders(setting.batch, whole=setting.whole, hurry=follow.in_a_hurry) as loaders,
        _weights(setting.weights) as weights,
        gradients_noted(entries=bool(setting.sources)) as gradients,
        sandboxed(scratch / "overlay") as sandbox,
        _hazards(loaders, gradients, setting) if tracing else contextlib.nullcontext() as trace,
    ):
        watch.on_new = lambda: tell(died())
        if trace is not None:
            trace.on_new = watch.on_new
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
