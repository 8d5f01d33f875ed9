"""Which example faults static checkers find beside `wellshaped check`; prints shares by kind.

usage: python -m benchmarks.static_peers [--cases DIR] [--sample 24 | --all] [--seed 0]
                                         [--stubs FOLDER] [--list]

A fault counts as found if a checker reports something on the broken program that it does not
report on the repaired one, whatever it is. Pyrefly knows tensor shapes only with two packages that
would change what mypy sees; they stay out of the environment and are named by `--stubs`:
`pip install --no-deps --target FOLDER pyrefly-shape-extensions pyrefly-torch-stubs`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

CASES = Path(__file__).parents[1] / "tests" / "cases"
# Not on the package index, where the name is that of an encryption library.
NOT_INSTALLABLE = ("PyTea",)

Messages = Counter[str]
Checker = Callable[[Path, str], Messages]


@dataclass
class Score:
    """Of each kind of fault, those found; and the seconds it took."""

    found: dict[str, set[str]] = field(default_factory=dict)
    quiet: set[str] = field(default_factory=set)
    seconds: float = 0.0


def output(*command: str, cwd: Path) -> str:
    """What a checker prints; 2 is a program that cannot be run or read, which counts too."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
    if ran.returncode not in (0, 1, 2):
        raise RuntimeError(f"{' '.join(command)}: {ran.stderr or ran.stdout}")
    return ran.stdout


def mypy(cache: str) -> Checker:
    """Bodies of functions without hints are checked too; torch is read once, into the cache."""
    flags = ("--check-untyped-defs", "--no-error-summary", "--config-file=", "--cache-dir", cache)

    def run(folder: Path, file: str) -> Messages:
        text = output(sys.executable, "-m", "mypy", *flags, file, cwd=folder)
        return Counter(re.findall(r": error: (.*)", text))

    return run


def pyrefly(stubs: Path | None) -> Checker:
    """With its default settings, and the shape stubs if there are any."""
    extra = () if stubs is None else (f"--search-path={stubs.resolve()}",)
    where = ("--preset=default", f"--python-interpreter-path={sys.executable}", *extra)

    def run(folder: Path, file: str) -> Messages:
        program = (sys.executable, "-m", "pyrefly")
        text = output(*program, "check", *where, "--output-format=json", file, cwd=folder)
        return Counter(each["description"] for each in json.loads(text)["errors"])

    return run


def wellshaped(folder: Path, file: str) -> Messages:
    """As on the command line; notes do not count."""
    command = (sys.executable, "-m", "wellshaped", "check", "--format", "json", file)
    findings = json.loads(output(*command, cwd=folder))["findings"]
    return Counter(each["code"] for each in findings if each["severity"] != "note")


def checkers(stubs: Path | None, cache: str) -> dict[str, Checker]:
    """Those that are installed; the others are named in print."""
    found: dict[str, Checker] = {}
    if find_spec("mypy"):
        found["mypy"] = mypy(cache)
    if find_spec("pyrefly"):
        found["pyrefly"] = pyrefly(None)
        if stubs is not None:
            found["pyrefly, shape stubs"] = pyrefly(stubs)
    missing = [name for name in ("mypy", "pyrefly") if name not in found]
    print("not installed:", ", ".join((*NOT_INSTALLABLE, *missing)))
    return {**found, "wellshaped check": wellshaped}


def messages(checker: Checker, case: Path, version: str) -> Messages:
    """Of the broken or the repaired program, in a folder without any other configuration."""
    files = json.loads((case / "case.json").read_text())["files"][version]
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(case / file, Path(folder) / file)
        start = next(each for each in files if Path(each).name == f"{version}.py")
        return checker(Path(folder) / Path(start).parent, Path(start).name)


def scored(checker: Checker, cases: list[Path]) -> Score:
    """Run one checker on both versions of every case."""
    score, start = Score(), time.perf_counter()
    for case in cases:
        broken, fixed = (messages(checker, case, version) for version in ("broken", "fixed"))
        if broken - fixed:
            score.found.setdefault(kind_of(case), set()).add(case.name)
        if not fixed:
            score.quiet.add(case.name)
    score.seconds = time.perf_counter() - start
    return score


def kind_of(case: Path) -> str:
    """At the loss, before it, at some batch sizes only, in collation, or in silence."""
    return str(json.loads((case / "case.json").read_text())["kind"])


def table(scores: dict[str, Score], cases: list[Path]) -> str:
    """A row for each checker: found by kind and in all, quiet on the repaired, seconds a case."""
    kinds = Counter(map(kind_of, cases))
    names = [*kinds, "all", "quiet when repaired", "s a case"]
    lines = [f"{'':22}" + "".join(f"{name:>{_wide(name)}}" for name in names)]
    for checker, score in scores.items():
        per_kind = {kind: len(score.found.get(kind, ())) for kind in kinds}
        cells = [f"{count}/{kinds[kind]}" for kind, count in per_kind.items()]
        cells += [f"{sum(per_kind.values())}/{len(cases)}", f"{len(score.quiet)}/{len(cases)}"]
        cells.append(f"{score.seconds / max(1, len(cases)):.1f}")
        shown = zip(cells, names, strict=True)
        lines.append(f"{checker:22}" + "".join(f"{cell:>{_wide(name)}}" for cell, name in shown))
    return "\n".join(lines)


def _wide(name: str) -> int:
    return max(len(name), 7) + 2


def chosen(folder: Path, sample: int | None, seed: int) -> list[Path]:
    """All cases, or some of them, the same ones for the same seed."""
    cases = sorted(path.parent for path in folder.resolve().glob("*/case.json"))
    if sample is None or sample >= len(cases):
        return cases
    return sorted(random.Random(seed).sample(cases, sample))


def main() -> None:
    """Run every checker on the same cases."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--cases", type=Path, default=CASES)
    flags.add_argument("--sample", type=int, default=24)
    flags.add_argument("--all", action="store_true")
    flags.add_argument("--seed", type=int, default=0)
    flags.add_argument("--stubs", type=Path)
    flags.add_argument("--list", action="store_true", help="name what each checker missed")
    given = flags.parse_args()
    cases = chosen(given.cases, None if given.all else given.sample, given.seed)
    print(f"{len(cases)} example faults, seed {given.seed}")
    with tempfile.TemporaryDirectory() as cache:
        found = checkers(given.stubs, cache)
        scores = {name: scored(each, cases) for name, each in found.items()}
    print(table(scores, cases))
    for name, score in scores.items() if given.list else ():
        missed = {case.name for case in cases}.difference(*score.found.values())
        print(f"\n{name} missed: {', '.join(sorted(missed)) or 'none'}")


if __name__ == "__main__":
    main()
