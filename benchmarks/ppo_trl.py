"""Holds our PPO against that of TRL 1.12, the last release that has one: same numbers, and speed.

python -m benchmarks.ppo_trl numbers    one update on fixed rollouts, both slots of the score
python -m benchmarks.ppo_trl speed      tokens a second of rollouts and updates, interleaved
python -m benchmarks.ppo_trl lesson     the true reward that both reach in the same time
python -m benchmarks.ppo_trl all        everything; exits with 1 if numbers differ

TRL is not a dependency: `make bench-ppo-trl` gives it an environment of its own.
"""

from __future__ import annotations

import argparse
import sys
import time

import torch
import transformers
import trl

from benchmarks.ppo_lesson import lessons
from benchmarks.ppo_numbers import numbers
from benchmarks.ppo_race import speed


def main() -> int:
    """Compare what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("numbers", "speed", "lesson", "all"))
    parser.add_argument("--rounds", type=int, default=5, help="of the speed, each of all trainers")
    parser.add_argument("--seconds", type=float, default=20.0, help="of learning, for each")
    parser.add_argument("--seeds", type=int, default=1, help="of the lesson")
    parser.add_argument("--cpu", action="store_true", help="processor time, not the wall's")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    clock = time.process_time if arguments.cpu else time.perf_counter
    print(
        f"torch {torch.__version__}, transformers {transformers.__version__}, TRL {trl.__version__}"
    )
    print(f"one thread, {'processor' if arguments.cpu else 'wall'} time\n")
    is_good = True
    if arguments.what in ("numbers", "all"):
        is_good = numbers()
    if arguments.what in ("speed", "all"):
        speed(arguments.rounds, clock)
    if arguments.what in ("lesson", "all"):
        lessons(arguments.seeds, arguments.seconds, clock)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
