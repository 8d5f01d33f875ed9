"""Runs a program in a forked child and a sandbox: at another batch size, with other source."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

import torch

from wellshaped.execute import (
    Loaders,
    TimeUp,
    aside,
    defer_compiler,
    go_offline,
    limited,
    must_be_confined,
    other_source,
    preload,
    steered_loaders,
)
from wellshaped.execute.coverage import Coverage, track_coverage
from wellshaped.execute.cpu_time import cpu_seconds
from wellshaped.execute.forked.child import Child, begin, drop, finished, tell
from wellshaped.execute.forked.keeper import kept_folder
from wellshaped.execute.one_row import one_row_passes
from wellshaped.execute.program import Program, execute
from wellshaped.execute.sandbox.enter import prepare_sandbox, sandboxed
from wellshaped.execute.weights.fake.fake_weights import Run, fake_weights
from wellshaped.execute.weights.real import RealWeights, TooLarge, real_weights
from wellshaped.observe.failure.raised import raised_of
from wellshaped.observe.loss_guard.watch import guard
from wellshaped.observe.observers import Observers, observing
from wellshaped.observe.result import How, RunResult, Setting, Unreached, Weights
from wellshaped.observe.shapes import recorded_shapes
from wellshaped.observe.trace.detect import Detectors
from wellshaped.observe.trace.gradients import Noted, gradients_noted
from wellshaped.records.failure import Raised
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.shapes import StepShapes
from wellshaped.records.source import Place
from wellshaped.source.flow_capture import flow_capture_enabled
from wellshaped.source.frames import is_library, stops

# Elements up to which a model is given values: with its gradients and the state of its optimizer
# it stays below a gigabyte, and real values find more than shapes do.
FITS = 50_000_000
_ERRORS = "errors"
_MOST_ERRORS = 20_000
# Batch sizes of which a run tells as they come; what it finds needs the rest of the room.
_MOST_TOLD = 8

T = TypeVar("T")
Ending = tuple[Observation | None, str, Place | None, Raised]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a process of the program saw: hazardous calls, silent faults, and what ended it."""

    calls: tuple[LossCall, ...]
    silent: tuple[Observation, ...]
    raised: tuple[Ending, ...]


@dataclass(frozen=True, slots=True)
class Started:
    """A run that is under way in a child."""

    setting: Setting
    child: Child


def observe_run(
    program: Program, setting: Setting, *, seconds: float, detectors: Detectors
) -> RunResult:
    """Run the program in a forked child and return what it saw; nothing of the user's changes."""
    started = [start(program, setting, seconds=seconds, detectors=detectors)]
    with all_ended(started):
        return finish(started)[0]


@cache
def prepare_guard() -> None:
    """Compile the losses once, and see that they are watched: children start with what is there."""
    with guard("record"):
        pass


@cache
def _prepare_fakes() -> None:
    """Load once what fake tensors load: torch's compiler, two seconds (torch 2.13)."""
    before = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    with kept_folder() as folder:
        # It makes a folder for compiled code nobody asked for, and names it in the environment.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = before or str(folder)
        with fake_weights():
            torch.nn.Linear(2, 1)(torch.zeros(3, 2))
    if before is None:
        os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)


@cache
def _prepare_pictures() -> None:
    """Load once what tensors without data load: half of sympy, a second (torch 2.13)."""
    torch.nn.functional.linear(torch.empty(2, 3, device="meta"), torch.empty(1, 3, device="meta"))


def start(program: Program, setting: Setting, *, seconds: float, detectors: Detectors) -> Started:
    """Begin a run; every run that is started must be finished. A traced one asks the detectors."""
    must_be_confined()
    # A forked child hangs in its first parallel region if this process has had one: with one
    # thread OpenMP never makes the pool the child would wait for (torch 2.13).
    torch.set_num_threads(1)
    prepare_guard()
    preload(program)
    if flow_capture_enabled():
        _prepare_pictures()
    if setting.weights == "fake":
        _prepare_fakes()
    prepare_sandbox()

    def work(scratch: Path) -> RunResult:
        output = _own_streams(scratch)
        _plain_warnings()
        go_offline()
        return _observed(program, setting, scratch, seconds, output, detectors)

    return Started(setting, begin(work, seconds=seconds))


def finish(runs: Sequence[Started]) -> list[RunResult]:
    """Wait for runs, all at once so that each is ended in time, and return what they saw."""
    waiting = [each.child for each in runs]
    while waiting:
        done = finished(waiting)
        waiting = [child for child in waiting if child not in done]
    return [outcome(each.child, each.setting) for each in runs]


def outcome(child: Child, setting: Setting) -> RunResult:
    """What came of a run whose child has ended; one that died is what it had told before."""
    meter = child.meter
    found: RunResult | None = child.result
    if found is None:
        late = child.how == "late" or meter.rung
        so_far: RunResult = child.so_far or RunResult(setting, "died")
        found = replace(so_far, ended="late" if late else "died", error=child.reason)
    waited = found.ended == "late" and meter.waited
    return replace(found, waited=waited, seconds=max(found.seconds, meter.spent))


@contextlib.contextmanager
def all_ended(runs: Sequence[Started]) -> Iterator[None]:
    """Whatever is raised inside, Ctrl-C as well, ends the runs that were started."""
    try:
        yield
    finally:
        for each in runs:
            drop(each.child)


def _own_streams(scratch: Path) -> Path:
    """The child's output goes to two files, its input is empty."""
    output = scratch / "output"
    how = os.O_CREAT | os.O_WRONLY | os.O_TRUNC
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(os.open(output, how), 1)
    os.dup2(os.open(scratch / _ERRORS, how), 2)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    return output


def _plain_warnings() -> None:
    """The filters that python starts with: what turned them into errors is not the program's."""
    warnings.resetwarnings()
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    for kind in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", kind, append=True)


def _observed(
    program: Program,
    setting: Setting,
    scratch: Path,
    seconds: float,
    output: Path,
    detectors: Detectors,
) -> RunResult:
    start = cpu_seconds()
    seen: list[Ending] = []

    def on_exception(error: BaseException) -> None:
        if isinstance(error, (TimeUp, TooLarge)):
            raise error  # ours, and nothing to look into
        observation = observers.observe_failure(error)
        raised = raised_of(error)
        text = f"{raised.type}: {raised.message}"
        seen.append((observation, text, user_place_of(error), raised))
        stack.extend(user_places_of(error))

    stack: list[Place] = []

    def died() -> RunResult:
        """What counts if the program ends this process: it may be killed at any time."""
        return RunResult(
            setting,
            "died",
            hazards=observers.watch.suspects,
            sizes=tuple(sorted(loaders.sizes)),
            batch_sizes_seen=tuple(sorted(loaders.met or follow.leading)),
            current=loaders.current if loaders.met else follow.current,
            silent=_certain(observers.silent, False),
            by_loader=bool(loaders.met),
        )

    told: set[int | None] = set()

    def on_batch(rows: int | None) -> None:
        follow.turn(rows)
        if rows not in told and len(told) < _MOST_TOLD:
            told.add(rows)
            tell(died())

    how: How = "ended"
    status = 0
    defer_compiler()
    with (
        other_source(setting.sources),
        track_coverage(setting.patience) as follow,
        steered_loaders(
            setting.batch,
            whole=setting.whole,
            hurry=follow.in_a_hurry,
            on_batch=on_batch,
        ) as loaders,
        _weights(setting.weights) as weights,
        _one_row(setting) as passed_over,
        gradients_noted(entries=bool(setting.sources)) as gradients,
        sandboxed(scratch / "overlay") as sandbox,
        _observers(setting, detectors, loaders, gradients) as observers,
        recorded_shapes() if setting.shapes else contextlib.nullcontext() as shapes,
    ):
        watch, trace = observers.watch, observers.trace
        watch.batch_size = lambda: loaders.current
        observers.on_new(lambda: tell(died()))
        sandbox.processes.seen = lambda: _Seen(watch.suspects, observers.silent, tuple(seen))
        sandbox.processes.on_exception = on_exception
        try:
            with limited(seconds) as bell:
                status = execute(
                    program, on_exception=on_exception, compiled=follow.compiled
                ).status
                sandbox.processes.leave_if_forked(status)
        except TimeUp as time_up:
            stack.extend(user_places_of(time_up))
        except TooLarge:
            how = "large"
        with aside:
            children: list[_Seen] = sandbox.processes.handed_over()
    if not seen:  # of what ended a child alone, what is about shapes
        seen += [each for child in children for each in child.raised if each[0] is not None]
    if bell.rung:
        how, seen = "late", []  # whatever the program made of it
    if isinstance(weights, RealWeights) and weights.too_large:
        how, seen = "large", []
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    observation, error, place, raised = seen[0] if seen else (None, "", None, None)
    place = place or (stack[-1] if stack else None)
    whole = how == "ended" and not seen and not (follow.shortened or loaders.shortened)
    return RunResult(
        setting,
        "raised" if seen else how,
        status=status,
        observation=observation,
        error=error,
        place=place,
        hazards=_all(watch.suspects, *(child.calls for child in children)),
        sizes=tuple(sorted(loaders.sizes)),
        batch_sizes_seen=tuple(sorted(loaders.met or follow.leading)),
        current=loaders.current if loaders.met else follow.current,
        axes=frozenset(follow.axes),
        whole_batches_only=loaders.whole_batches_only,
        unreached=tuple(_unreached(follow)),
        stand_ins=weights.stand_ins if isinstance(weights, Run) else (),
        files={file: _text(file) for file in follow.blocks},
        shortened=follow.shortened or loaders.shortened,
        output=output.read_text(errors="replace"),
        seconds=cpu_seconds() - start,
        refused=tuple(note for note in sandbox.notes if note.kind != "redirected"),
        gradients=gradients.reach(),
        silent=_certain(_all(observers.silent, *(child.silent for child in children)), whole),
        broadcasts=tuple(trace.broadcasts.values()) if trace is not None else (),
        followed=trace is not None and not trace.ended,
        raised=raised,
        errors=_end_of(scratch / _ERRORS),
        reached=follow.reached(),
        stack=tuple(stack),
        by_loader=bool(loaders.met),
        passed_over=tuple(passed_over),
        shapes=shapes.result() if shapes is not None else StepShapes(),
    )


def _end_of(file: Path) -> str:
    """The last of a text that may be as long as a disk is large."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _MOST_ERRORS))
        return stream.read().decode(errors="replace")


def _one_row(setting: Setting) -> contextlib.AbstractContextManager[list[Place]]:
    """At its own batch size a program meets what it meets; at another it need not meet one row."""
    return contextlib.nullcontext([]) if setting.batch is None else one_row_passes()


def _observers(
    setting: Setting, detectors: Detectors, loaders: Loaders, gradients: Noted
) -> contextlib.AbstractContextManager[Observers]:
    """What watches a run; with fake weights there are no values to follow."""
    return observing(
        detectors if setting.traced and setting.weights != "fake" else None,
        loaders=loaders,
        gradients=gradients,
        everywhere=True,
        broadcasts=setting.broadcasts,
    )


def _all(own: tuple[T, ...], *others: tuple[T, ...]) -> tuple[T, ...]:
    """What this process and its children saw, each once: children begin with what it saw."""
    found = [*own]
    for each in (each for other in others for each in other):
        if each not in found:
            found.append(each)
    return tuple(found)


def _certain(found: tuple[Observation, ...], whole: bool) -> tuple[Observation, ...]:
    """What was found; of what may hold for some turns of a loop only, what a whole run showed."""
    return tuple(
        each for each in found if whole or each.facts is None or not each.facts.needs_whole_run
    )


def _unreached(follow: Coverage) -> Iterator[Unreached]:
    for file, block in follow.unreached():
        yield Unreached(file, block.line, block.end_line, block.function)


def _text(file: str) -> str:
    return "".join(linecache.getlines(file))


def _weights(kind: Weights) -> contextlib.AbstractContextManager[Run | RealWeights]:
    if kind == "fake":
        return fake_weights()
    return real_weights(FITS if kind == "auto" else None)


def user_place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's that an exception passed."""
    found = user_places_of(error)
    return found[-1] if found else None


def user_places_of(error: BaseException) -> list[Place]:
    """The lines of the user's that an exception passed, from the outermost on."""
    return [stop.place for stop in stops(error.__traceback__) if not is_library(stop.file)]
