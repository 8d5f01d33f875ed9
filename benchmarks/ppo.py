"""Whether PPO and REINFORCE learn what they should, on several seeds: one line for each run.

python -m benchmarks.ppo [--seeds 5]

The reward that counts is the true one, which no part of the training sees. Exits with 1 if a run
misses its mark: PPO gains at least 2.5 at a KL below 8, REINFORCE at least 2; without a price on
the KL the policy leaves the language it was taught.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from wellshaped.train import toy_task
from wellshaped.train.events import discard
from wellshaped.train.rollout import train_policy
from wellshaped.train.supervised import train_reward, train_sft

# What differs from the plan of the lesson, and the marks to be met.
METHODS: dict[str, dict[str, Any]] = {
    "ppo": {},
    "reinforce": {"method": "reinforce", "kl": 0.1, "learning_rate": 5e-4},
    "ppo without kl": {"kl": 0.0, "updates": 40},
}


@dataclass(frozen=True)
class Outcome:
    """The true reward before and after, the KL, and the share of texts that are still reviews."""

    before: float
    after: float
    kl: float
    well_formed: float

    @property
    def gain(self) -> float:
        """How much better the texts became."""
        return self.after - self.before


def passes(method: str, outcome: Outcome) -> bool:
    """Whether a run met its marks."""
    if method == "ppo":
        return outcome.gain >= 2.5 and outcome.kl < 8
    if method == "reinforce":
        return outcome.gain >= 2.0
    return outcome.kl > 8 and outcome.well_formed < 0.1


def taught(seed: int, folder: Path) -> None:
    """The policy that demonstrations make, and the reward model that preferences make."""
    given: dict[str, Any] = {"seed": seed, "tell": discard}
    start = folder / "sft"
    train_sft(None, toy_task.demonstrations(seed), out=start, **given, **toy_task.SFT)
    pairs = toy_task.preferences(seed)
    train_reward(start, pairs, out=folder / "reward", **given, **toy_task.REWARD)


def improved(seed: int, folder: Path, method: str, **options: Any) -> Outcome:
    """The policy improved by a method, and what its texts are truly worth."""
    learned, held_out = toy_task.prompts(seed)
    out = folder / method.replace(" ", "-")
    trained = train_policy(
        folder / "sft",
        learned,
        folder / "reward",
        out=out,
        held_out=held_out,
        seed=seed,
        tell=discard,
        **{**toy_task.POLICY, **METHODS[method], **options},
    )
    lines = map(json.loads, (out / "samples.jsonl").read_text(encoding="utf-8").splitlines())
    texts: dict[int, list[str]] = {}
    for line in lines:
        texts.setdefault(line["step"], []).append(line["response"])
    first, last = texts[min(texts)], texts[max(texts)]
    return Outcome(
        toy_task.quality(first),
        toy_task.quality(last),
        trained.ended.values["kl"],
        toy_task.well_formed(last),
    )


def main() -> int:
    """All methods on all seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # models this small only wait for the second
    is_good = True
    for seed in range(arguments.seeds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            taught(seed, folder)
            for method in arguments.methods:
                start = time.perf_counter()
                outcome = improved(seed, folder, method)
                good = passes(method, outcome)
                is_good &= good
                print(
                    f"seed {seed}  {method:15} true reward {outcome.before:5.2f} -> "
                    f"{outcome.after:5.2f}  kl {outcome.kl:6.2f}  reviews "
                    f"{outcome.well_formed:4.0%}  {time.perf_counter() - start:4.0f} s  "
                    f"{'ok' if good else 'MISSED'}",
                    flush=True,
                )
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
