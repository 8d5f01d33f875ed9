"""Runs other people's training scripts with and without `wellshaped run`, and checks them.

usage: python -m benchmarks.transparency --work FOLDER [--most N] [--only TEXT] [--table FILE]

The scripts are those in source distributions of packages; they are downloaded into the folder and
are not changed. Both runs must agree in standard output, exit status and the weights after every
step of every optimizer; `check` must end, and what it finds is listed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Loaded by python itself at the start of each run: a digest of the weights after every step.
WITNESS = """\
import atexit, hashlib, os
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

digest, steps = hashlib.sha256(), 0


def look(optimizer, *_):
    global steps
    steps += 1
    for group in optimizer.param_groups:
        for each in group["params"]:
            digest.update(each.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())


def tell():
    with open(os.environ["WITNESS"], "w") as file:
        file.write(f"{steps} {digest.hexdigest()}")


register_optimizer_step_post_hook(look)
atexit.register(tell)
"""


@dataclass(frozen=True)
class Source:
    """A source distribution, what its scripts import beside torch, and where the scripts are."""

    package: str
    version: str
    needs: tuple[str, ...]
    scripts: str


SOURCES = (
    Source(
        "gpytorch",
        "1.15.2",
        ("linear-operator", "jaxtyping", "wadler-lindig", "scikit-learn", "scipy", "joblib"),
        "test/examples/test_*.py",
    ),
    Source("e3nn", "0.6.0", ("opt-einsum-fx", "opt-einsum", "scipy"), "examples/tetris*.py"),
)


@dataclass(frozen=True)
class Outcome:
    """What a run came to, as far as it can be compared."""

    status: int
    stdout: str
    weights: str


@dataclass(frozen=True)
class Row:
    """One script: how often it stepped, whether both runs agree, and what a check said."""

    script: str
    steps: int
    differs: tuple[str, ...]
    check: str
    reason: str = ""


def fetched(source: Source, work: Path) -> list[Path]:
    """The scripts of a source distribution, and the packages they import, downloaded once."""
    name = f"{source.package}=={source.version}"
    folder, pip = work / source.package, (sys.executable, "-m", "pip")
    if not folder.exists():
        choice = ("--no-deps", "--no-binary", source.package)
        subprocess.run([*pip, "download", "-q", *choice, "-d", str(work), name], check=True)
        archive = next(work.glob(f"{source.package}-*.tar.gz"))
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        target = ("install", "-q", "--no-deps", "--target", str(work / "site"))
        subprocess.run([*pip, *target, name, *source.needs], check=True)
    return sorted(folder.glob(f"*/{source.scripts}"))


def run(script: Path, launcher: tuple[str, ...], work: Path, seconds: float) -> Outcome:
    """The script in its own folder, watched by the witness."""
    seen = work / "witness.txt"
    seen.unlink(missing_ok=True)
    try:
        ran = subprocess.run(
            [sys.executable, *launcher, script.name],
            cwd=script.parent,
            env={**environment(work), "WITNESS": str(seen)},
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Outcome(-1, "", "late")
    return Outcome(ran.returncode, ran.stdout, seen.read_text() if seen.exists() else "none")


def environment(work: Path, *, witness: bool = True) -> dict[str, str]:
    """The packages of the scripts behind ours; no random order of sets."""
    (work / "witness").mkdir(exist_ok=True)
    (work / "witness" / "sitecustomize.py").write_text(WITNESS)
    first = [str(work / "witness")] if witness else []
    path = os.pathsep.join([*first, os.environ.get("PYTHONPATH", ""), str(work / "site")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}


def checked(script: Path, work: Path, seconds: float) -> str:
    """What `wellshaped check` says of errors and warnings; "quiet" where it says nothing."""
    options = ("--format", "json", "--budget", str(int(seconds)))
    ran = subprocess.run(
        [sys.executable, "-m", "wellshaped", "check", *options, script.name],
        cwd=script.parent,
        env=environment(work, witness=False),
        capture_output=True,
        text=True,
        timeout=4 * seconds + 60,
    )
    if "Traceback" in ran.stderr or ran.returncode not in (0, 1, 2):
        return f"crashed with status {ran.returncode}"
    if ran.returncode == 2:
        return ran.stderr.strip().splitlines()[-1]
    found = [each for each in json.loads(ran.stdout)["findings"] if each["severity"] != "note"]
    return ", ".join(f"{each['code']} line {each['line']}" for each in found) or "quiet"


def compared(script: Path, work: Path, seconds: float) -> Row:
    """Both runs and a check of one script; the reason where it cannot be run at all."""
    name = "/".join(script.relative_to(work).parts[1:])
    plain = run(script, (), work, seconds)
    steps = int(plain.weights.split()[0]) if plain.weights[:1].isdigit() else 0
    if plain.status == -1 or not steps:
        reason = "takes too long" if plain.status == -1 else "trains nothing here"
        return Row(name, steps, (), "", reason)
    ours = run(script, ("-m", "wellshaped", "run"), work, seconds)
    parts = ("status", "stdout", "weights")
    differs = tuple(each for each in parts if getattr(plain, each) != getattr(ours, each))
    if differs:  # a script that sets no seed is never the same twice
        again = run(script, (), work, seconds)
        random = {each for each in parts if getattr(plain, each) != getattr(again, each)}
        differs = tuple(
            f"{each} (random by itself)" if each in random else each for each in differs
        )
    return Row(name, steps, differs, checked(script, work, seconds))


def markdown(rows: list[Row]) -> str:
    """The table, a line for each script."""
    lines = ["| script | steps | `run` | `check` |", "|---|---|---|---|"]
    for row in rows:
        same = "differs: " + ", ".join(row.differs) if row.differs else "the same"
        cells = (row.reason, "") if row.reason else (same, row.check)
        lines.append(f"| {row.script} | {row.steps} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def rows_of(work: Path, only: str, seconds: float) -> Iterator[Row]:
    """Every script whose name holds the text, one after the other."""
    for source in SOURCES:
        for script in fetched(source, work):
            if only in str(script):
                yield compared(script, work, seconds)


def main() -> None:
    """Run the scripts, print a line for each, and write the table if a file is named."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--work", type=Path, required=True)
    flags.add_argument("--most", type=int, default=1000)
    flags.add_argument("--only", default="")
    flags.add_argument("--seconds", type=float, default=120.0)
    flags.add_argument("--table", type=Path)
    given = flags.parse_args()
    work = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    rows = []
    for row, _ in zip(rows_of(work, given.only, given.seconds), range(given.most), strict=False):
        rows.append(row)
        print(row, flush=True)
    if given.table is not None:
        given.table.write_text(markdown(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
