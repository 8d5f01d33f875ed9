"""Checks a reward model of 70 billion parameters, and one that fits beside its real execution.

usage: python -m benchmarks.scale [--rounds 3]
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PROGRAM = Path(__file__).with_name("reward.py")


@dataclass(frozen=True)
class Measured:
    """A process from start to end: seconds, the most memory it and its children held, its output.

    Memory is counted as a share of each page that several processes hold (PSS).
    """

    seconds: float
    megabytes: float
    output: str
    status: int


def measured(command: list[str], *, sampled: bool = False) -> Measured:
    """Run a command in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        peaks = [0.0]
        over = threading.Event()
        watch = threading.Thread(target=_watch, args=(process.pid, peaks, over))
        if sampled:
            watch.start()
        output, _ = process.communicate(timeout=600)
        seconds = time.perf_counter() - start
        over.set()
        if sampled:
            watch.join()
    return Measured(seconds, max(peaks), output, process.returncode)


def _watch(root: int, peaks: list[float], over: threading.Event) -> None:
    while not over.wait(0.2):
        peaks.append(sum(map(_megabytes, _family(root))))


def _family(root: int) -> list[int]:
    """A process and all that it started."""
    found = [root]
    for pid in found:
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            continue
        found += map(int, children.split())
    return found


def _megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def checked(
    *arguments: str, model: str, sampled: bool = False, fault: tuple[str, ...] = ()
) -> Measured:
    """The command a user would type, at the batch sizes 1, 2 and 3."""
    options = ["--format", "json", "--batch-sizes", "1,2,3", "--budget", "300", *arguments]
    command = [sys.executable, "-m", "wellshaped", "check", *options, str(PROGRAM)]
    return measured([*command, "--model", model, *fault], sampled=sampled)


def large(*fault: str) -> None:
    """70 billion parameters: loss, backward and AdamW, never allocated."""
    ran = checked(model="70b", sampled=True, fault=fault)
    report = json.loads(ran.output)
    unsettled = [each["reason"] for each in report["not_checked"] if each["code"] < "WS905"]
    kind = "with a silent broadcast" if fault else "healthy"
    print(f"check of a reward model of 70 billion parameters, B = 1, 2, 3 and its own: {kind}")
    print(f"  {'seconds':44}{ran.seconds:8.1f}")
    print(f"  {'most memory, children included, megabytes':44}{ran.megabytes:8.0f}")
    print(f"  {'findings':44}{len(report['findings']):8}")
    for reason in unsettled:
        print(f"  not checked: {reason}")


def small(rounds: int) -> None:
    """A model that fits: executed, and checked with real and with fake weights, interleaved."""
    ways = {
        "python program.py": lambda: measured([sys.executable, str(PROGRAM)]),
        "check --weights real": lambda: checked("--weights", "real", model="small"),
        "check --weights fake": lambda: checked("--weights", "fake", model="small"),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            times[name].append(run().seconds)
    base = median(times["python program.py"])
    print("\nthe same program with 7 million parameters      seconds   ratio")
    for name, values in times.items():
        print(f"  {name:44}{median(values):8.1f}{median(values) / base:8.1f}")


def main() -> None:
    """Run both."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=3)
    rounds = flags.parse_args().rounds
    if importlib.util.find_spec("transformers") is None:
        print("transformers: not installed")
        return
    large()
    large("--fault")
    small(rounds)


if __name__ == "__main__":
    main()
