"""Runs training in forked children of one process that has everything loaded: to kill, or to pair.

python -m tests.train.children FOLDER     prints what the test is to compare, as JSON
"""

import importlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from tests.train import pairs, tiny
from wellshaped.cli import main as command
from wellshaped.train.tasks.generated_rows import generate_rows

# What the children need is loaded before they are forked.
for name in ("matplotlib.figure", "matplotlib.backends.backend_agg", "torch._dynamo"):
    importlib.import_module(name)
for name in ("catalogue", "language"):
    importlib.import_module(f"wellshaped.locale.{name}")
importlib.import_module("wellshaped.train.tasks.functions")

KILLS = 5
CLASSIFY = (
    *("train", "classify", "--seed", "3", "--epochs", "8", "--batch", "40", "--width", "16"),
    *("--save-every", "1", "--patience", "0", "--resume"),
)


def child(work: Callable[[], object], log: Path, **environment: str) -> int:
    """A process that does the work and prints to a file."""
    number = os.fork()
    if number:
        return number
    os.environ.update(environment)
    with log.open("a") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        status = 1
        try:
            status = int(work() or 0)  # type: ignore[call-overload]
        finally:
            sys.stdout.flush()
            os._exit(status)


def ended(*children: int) -> list[int]:
    return [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in children]


def classify(out: Path) -> Callable[[], object]:
    data = out.with_name("data.jsonl")
    return lambda: command([*CLASSIFY, "--data", str(data), "--out", str(out)])


def kill(folder: Path) -> dict[str, object]:
    """A whole run, and one that is killed again and again, each time somewhere else."""
    log, cut = folder / "kill.log", folder / "cut"
    status = ended(child(classify(folder / "whole"), log))
    chance, killed = random.Random(5), []
    for _ in range(KILLS):
        before = {path.name for path in cut.glob("checkpoints/step-*")}
        running = child(classify(cut), log)
        # Until it goes on, and a while: inside a step, an evaluation or a checkpoint.
        while {path.name for path in cut.glob("checkpoints/step-*")} == before:
            if os.waitid(os.P_PID, running, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break  # it was through before it could be killed, and its status will tell
            time.sleep(0.001)
        time.sleep(chance.random() * 0.1)
        os.kill(running, signal.SIGKILL)
        killed += ended(running)
    status += ended(child(classify(cut), log))
    return {"killed": killed, "status": status}


def pair(folder: Path) -> dict[str, object]:
    """The same windows in one process, two batches each, and in two, one batch each."""

    def train(name: str, accumulate: int) -> Callable[[], object]:
        weights = str(folder / f"{name}.safetensors")
        return lambda: tiny.main(str(folder / name / "c"), weights, "4", str(accumulate), "0.0")

    log = folder / "pair.log"
    status = ended(child(train("one", 2), log))
    status += ended(*two(train("two", 1), log))
    return {"status": status + ended(*two(classify(folder / "both"), folder / "both.log"))}


def two(work: Callable[[], object], log: Path) -> list[int]:
    """Two children that find each other, as those of `accelerate launch` do."""
    return [child(work, log, **one) for one in pairs.pair()]


if __name__ == "__main__":
    torch.set_num_threads(1)
    where = Path(sys.argv[1])
    rows = generate_rows("classify", rows=400, seed=0)
    (where / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(json.dumps({"kill": kill(where), "pair": pair(where)}))
