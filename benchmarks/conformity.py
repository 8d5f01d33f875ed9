"""Compares every contract with torch itself, over random calls; prints disagreements per loss.

usage: python -m benchmarks.conformity [--per-loss 50000] [--seed 0] [--only NAME,NAME] [--jobs 2]
"""

from __future__ import annotations

import argparse
import random
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import torch

from benchmarks.calls import Call, draw
from benchmarks.execution import execute
from benchmarks.values import confirmed
from wellshaped.contracts.judge import judge
from wellshaped.contracts.registry import ROWS
from wellshaped.records.verdict import Verdict


@dataclass
class Tally:
    """The result of comparing one loss with torch."""

    name: str
    calls: int = 0
    accepted: int = 0
    hazards: int = 0
    disagreements: list[str] = field(default_factory=list)


def compare(name: str, *, calls: int, seed: int) -> Tally:
    """Judge and execute `calls` random calls of one loss."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rng = random.Random(f"{name}:{seed}")
    tally = Tally(name)
    for number in range(calls):
        call = draw(ROWS[name], rng)
        _compare_one(call, number, tally)
    return tally


def _compare_one(call: Call, number: int, tally: Tally) -> None:
    verdict = judge(tally.name, **call.facts, **call.options)
    happened = execute(tally.name, call, seed=number)
    tally.calls += 1
    tally.accepted += verdict.accepted
    tally.hazards += verdict.outcome == "hazard"
    for what, ours, theirs in _differences(verdict, happened):
        tally.disagreements.append(
            f"{tally.name} {_spelled(call)}: {what}: contract says {ours}, torch {theirs}"
            + (f" [{happened.error}]" if happened.error else "")
        )


def _differences(verdict: Verdict, happened: Any) -> Iterator[tuple[str, Any, Any]]:
    if verdict.accepted != happened.accepted:
        yield "accepted", verdict.accepted, happened.accepted
    elif verdict.accepted:
        for what in ("output_shape", "output_dtype", "backward"):
            ours, theirs = getattr(verdict, what), getattr(happened, what)
            if ours != theirs:
                yield what, ours, theirs


def _spelled(call: Call) -> str:
    facts = ", ".join(f"{name}={fact}" for name, fact in call.facts.items())
    return f"({facts}; {call.options})" if call.options else f"({facts})"


def main() -> int:
    """Run the comparison and print the table."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--per-loss", type=int, default=50_000)
    flags.add_argument("--seed", type=int, default=0)
    flags.add_argument("--only", default="")
    flags.add_argument("--jobs", type=int, default=2)
    flags.add_argument("--show", type=int, default=5)
    given = flags.parse_args()
    names = [name for name in given.only.split(",") if name] or list(ROWS)
    with ProcessPoolExecutor(given.jobs) as pool:
        jobs = [pool.submit(compare, name, calls=given.per_loss, seed=given.seed) for name in names]
        tallies = [job.result() for job in jobs]
    print(f"{'loss':36}{'calls':>8}{'accepted':>10}{'hazards':>9}{'disagree':>10}")
    for tally in tallies:
        row = (tally.calls, tally.accepted, tally.hazards, len(tally.disagreements))
        print(f"{tally.name:36}{row[0]:8}{row[1]:10}{row[2]:9}{row[3]:10}")
        for line in tally.disagreements[: given.show]:
            print("   ", line)
    if not given.only:
        print("\nrefused for their values, which a contract does not see:")
        for case, error in confirmed():
            print(f"  {case.loss:34}{case.reason:36}{error}")
    total = sum(len(tally.disagreements) for tally in tallies)
    print(
        f"torch {torch.__version__}: {sum(t.calls for t in tallies)} calls, {total} disagreements"
    )
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
