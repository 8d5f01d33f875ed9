"""Measures the library beside its peers, interleaved in one run; prints medians and ratios.

usage: python -m benchmarks [--rounds 40]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn

import wellshaped
from benchmarks import buckets, recurrent
from benchmarks.overhead import Step, added_to_a_step, microseconds


def judged_before(rounds: int) -> None:
    """A signature that was seen before is a look-up."""
    pair, classes = torch.zeros(64, 1), (torch.zeros(64, 10), torch.zeros(64).long())
    cases: dict[str, Step] = {
        "functional": lambda: wellshaped.judge(F.mse_loss, pair, pair),
        "name": lambda: wellshaped.judge("mse_loss", pair, pair),
        "module, no options": lambda: wellshaped.judge(mse, pair, pair),
        "module, four options": lambda: wellshaped.judge(cross, *classes),
    }
    mse, cross = nn.MSELoss(), nn.CrossEntropyLoss()
    print("judge(), signature seen before                microseconds")
    for label, step in cases.items():
        step()
        print(f"  {label:44}{median(microseconds(step, times=2000) for _ in range(rounds)):8.2f}")


def training_step(rounds: int) -> None:
    """A small MLP, bare and watched."""
    bare, added = added_to_a_step(rounds)
    print(f"\ntraining step of a small MLP, bare: {bare:.0f} microseconds; added to it")
    for name, percent in added.items():
        print(f"  {name:44}{percent:+8.1f} %")


def importing(rounds: int) -> None:
    """What `import wellshaped` and its first use add to `import torch`."""
    programs = {
        "import torch": "import torch",
        "+ import wellshaped": "import torch, wellshaped",
        "+ judge, guard, reconcile": "import torch; from wellshaped import judge, guard, reconcile",
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(max(5, rounds // 4)):
        for name, code in programs.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times[name].append((time.perf_counter() - start) * 1e3)
    print("\nstart of a process                            milliseconds")
    base = times["import torch"]
    for name, values in times.items():
        added = median(b - a for a, b in zip(base, values, strict=True))
        print(f"  {name:44}{median(values):8.0f}   {added:+6.0f}")


def main() -> None:
    """Run everything."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=40)
    rounds = flags.parse_args().rounds
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}, one thread\n")
    judged_before(rounds)
    training_step(rounds)
    importing(rounds)
    buckets.epochs(max(3, rounds // 8))
    recurrent.table(max(3, rounds // 4))


if __name__ == "__main__":
    main()
