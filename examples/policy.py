"""From demonstrations over preferences to a policy that writes better texts than it was shown.

usage: python -m examples.policy

A small model learns to write reviews, another learns which of two reviews is better, and PPO
improves the first by the second. What the reviews are truly worth is known, for they are made up
here, and shown to neither.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch

from wellshaped.train import toy_task
from wellshaped.train.rlhf_run import RlhfPlan, default_plan, rlhf

SHOWN = 4


def show(plan: RlhfPlan, folder: Path) -> Iterator[str]:
    """The whole way, then texts before and after, and what they are worth."""
    began = time.perf_counter()
    yield "From demonstrations over preferences to a policy: `wellshaped rlhf`.\n"
    rlhf(plan, out=folder)
    lines = (folder / "policy" / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    for name, step in (("before", 0), ("after", max(one["step"] for one in found))):
        texts = [one["response"] for one in found if one["step"] == step]
        kl = sum(one["kl"] for one in found if one["step"] == step) / len(texts)
        yield f"\n{name:6}  true reward {toy_task.quality(texts):5.2f}   kl {kl:5.2f}"
        yield from (f"        {text.strip()}" for text in texts[:SHOWN])
    yield f"\n{time.perf_counter() - began:.0f} seconds"


def main() -> None:
    """Show it with the plan that is built in."""
    torch.set_num_threads(1)  # models this small only wait for the second
    with tempfile.TemporaryDirectory() as name:
        for line in show(default_plan(), Path(name)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
