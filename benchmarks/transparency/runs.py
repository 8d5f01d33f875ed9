"""Runs one script both ways, in a fresh copy of its folder each time, and compares."""

from __future__ import annotations

import itertools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.transparency import made, witness

PARTS = ("status", "stdout", "weights")
WAIT = 8  # a busy machine gives a process that part of its time
OURS = ("-m", "wellshaped", "run")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")


@dataclass(frozen=True)
class Script:
    """A script of a source distribution, how it is started, and what is known of it beforehand.

    `data` names files that are made up for it; `known` says of a finding of `check`, by its code,
    why it is true; `unreached` says why the script is not run; one that `crashes` on purpose is
    compared although it trains nothing.
    """

    path: str
    arguments: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    known: dict[str, str] = field(default_factory=dict)
    unreached: str = ""
    crashes: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a run came to, as far as it can be compared, and what helps to see why."""

    status: int
    stdout: str
    weights: str
    stderr: str = ""
    seconds: float = 0.0

    @property
    def steps(self) -> int:
        """How many steps all optimizers of the run made."""
        return int(self.weights.split()[0]) if self.weights[:1].isdigit() else 0


@dataclass(frozen=True)
class Row:
    """One script: how often it stepped, whether both runs agree, and what a check said."""

    script: str
    arguments: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    steps: int = 0
    differs: tuple[str, ...] = ()
    clocks: int = 0
    check: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    status: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Place:
    """Where scripts are run: a source tree, the folder its copies are put, the time for each.

    `seconds` are those of the processor for a run, `budget` those of the clock for a check.
    """

    tree: Path
    stage: Path
    seconds: float
    budget: float = 60.0

    @property
    def home(self) -> Path:
        """What scripts take for the user's home, empty at first."""
        return self.stage.with_suffix(".home")

    def fresh(self, script: Script) -> Path:
        """The script in a new copy of its part of the tree, with the data it looks for."""
        shutil.rmtree(self.stage, ignore_errors=True)
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        top = Path(script.path).parts[0]
        source = self.tree / top
        if source.is_dir():
            shutil.copytree(source, self.stage / top)
        else:
            self.stage.mkdir(parents=True)
            shutil.copy(source, self.stage / top)
        at = self.stage / script.path
        for each in script.data:
            made.make(each, at.parent, self.home)
        return at


def judged(row: Row, script: Script) -> Row:
    """The row with what is known of each finding beside it."""
    said = [f"{each}: {script.known.get(each[:5], 'not judged yet')}" for each in row.check]
    return replace(row, check=tuple(said))


def compared(script: Script, place: Place) -> Row:
    """Both runs and a check of one script; the reason where it cannot be run at all."""
    row = Row(script.path, script.arguments, script.data)
    plain = run(script, (), place)
    if plain.weights == "late":
        return replace(row, reason=f"takes more than {place.seconds:.0f} seconds")
    if not plain.steps and not script.crashes:
        return replace(row, status=plain.status, reason=_last_line(plain) or "trains nothing")
    ours = run(script, OURS, place)
    row = agreement(row, plain, ours, lambda: run(script, (), place))
    said, seconds = checked(script, place)
    return replace(row, check=said, seconds=(plain.seconds, ours.seconds, seconds))


def agreement(row: Row, plain: Outcome, ours: Outcome, again: Callable[[], Outcome]) -> Row:
    """Where two runs differ; numbers that differ between two plain runs too are clocks."""
    row = replace(row, steps=plain.steps, status=plain.status)
    differs = [each for each in PARTS if getattr(plain, each) != getattr(ours, each)]
    if not differs:
        return row
    other = again()
    told, clocks = [], 0
    for part in differs:
        if part == "stdout" and (clocks := ticking(plain.stdout, other.stdout, ours.stdout)):
            continue
        random = getattr(plain, part) != getattr(other, part)
        told.append(f"{part} (differs between two plain runs too)" if random else part)
    return replace(row, differs=tuple(told), clocks=clocks)


def ticking(plain: str, again: str, ours: str) -> int:
    """How many numbers are clocks, if ours differs in nothing else; otherwise 0.

    A clock is known by the words around it: somewhere they hold another number in another plain
    run. Not by its place alone, where two runs may well take the same hundredths of a second.
    """
    first, second, third = (_NUMBER.split(_shown(each)) for each in (plain, again, ours))
    if not first[::2] == second[::2] == third[::2]:
        return 0
    around = [_around(before, after) for before, after in itertools.pairwise(first[::2])]
    clocks = [
        place for place, a, b in zip(around, first[1::2], second[1::2], strict=True) if a != b
    ]
    for place, a, b in zip(around, first[1::2], third[1::2], strict=True):
        if a != b and place not in clocks:
            return 0
    return sum(place in clocks for place in around)


def _around(before: str, after: str) -> tuple[list[str], list[str]]:
    """The words of its line next to a number."""
    return before.rpartition("\n")[2].split()[-1:], after.partition("\n")[0].split()[:1]


def _shown(stdout: str) -> str:
    """The text as a terminal is left with it: without what `\\r` overwrote, and its layout."""
    return "\n".join(" ".join(line.split("\r")[-1].split()) for line in stdout.split("\n"))


def run(script: Script, launcher: tuple[str, ...], place: Place) -> Outcome:
    """The script in its own folder, watched by the witness."""
    at, seen = place.fresh(script), place.stage.with_suffix(".witness")
    seen.unlink(missing_ok=True)
    environment = {**surroundings(place), "WITNESS": str(seen)}
    command = [sys.executable, *launcher, at.name, *script.arguments]
    status, stdout, stderr, seconds = _ended(command, at.parent, environment, place.seconds)
    if status is None:
        return Outcome(-1, "", "late")
    return Outcome(status, stdout, seen.read_text() if seen.exists() else "none", stderr, seconds)


def checked(script: Script, place: Place) -> tuple[tuple[str, ...], float]:
    """What `wellshaped check` finds, errors and warnings, and the seconds it took."""
    at = place.fresh(script)
    ours = ("-m", "wellshaped", "check", "--format", "json", f"--budget={place.budget:.0f}")
    command = [sys.executable, *ours, at.name, *script.arguments]
    status, stdout, stderr, seconds = _ended(
        command, at.parent, surroundings(place), 4 * place.seconds
    )
    if status is None:
        return ("does not end",), seconds
    if "Traceback" in stderr or status not in (0, 1, 2):
        return (f"crashed with status {status}",), seconds
    if status == 2:
        return (stderr.strip().splitlines()[-1],), seconds
    found = [each for each in json.loads(stdout)["findings"] if each["severity"] != "note"]
    return tuple(_named(each) for each in found), seconds


def _named(finding: dict[str, object]) -> str:
    return f"{finding['code']} at {Path(str(finding['file'])).name}:{finding['line']}"


def surroundings(place: Place) -> dict[str, str]:
    """The environment of every run: one thread, no random order of sets, nobody's home."""
    folder = place.stage.with_suffix(".site")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(witness.__file__ or "", folder / "sitecustomize.py")
    path = [str(folder), os.environ.get("PYTHONPATH", "")]
    fixed = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "HOME": str(place.home)}
    quiet = {"MPLBACKEND": "Agg", "DDE_BACKEND": "pytorch", "SDL_VIDEODRIVER": "dummy"}
    joined = os.pathsep.join(each for each in path if each)
    return {**os.environ, **fixed, **quiet, "PYTHONPATH": joined}


def _ended(
    command: list[str], folder: Path, environment: dict[str, str], seconds: float
) -> tuple[int | None, str, str, float]:
    """Status, output, errors and seconds of the processor; no status if it took too many."""
    before = _processor()
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds),) * 2),
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=WAIT * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
    status = process.returncode
    said = Path(environment["HOME"]).with_name("said") / time.strftime("%H.%M.%S")
    said.parent.mkdir(exist_ok=True)  # where a difference can be looked at afterwards
    said.write_text(f"{command}\n{status}\n{stdout}\n{stderr}", encoding="utf-8")
    late = status in (-signal.SIGXCPU, -signal.SIGKILL)
    return None if late else status, stdout, stderr, _processor() - before


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _last_line(outcome: Outcome) -> str:
    lines = outcome.stderr.strip().splitlines()
    return lines[-1].strip()[:160] if lines and outcome.status else ""
