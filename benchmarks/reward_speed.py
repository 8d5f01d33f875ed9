"""Trains reward models by TRL's `RewardTrainer` and here: same weights, same batches, in turns.

usage: python -m benchmarks.reward_speed [--size small|gpt2] [--data real|equal ...] [--repeats 5]

Both take the batches in the given order, so that sorting by length gains neither anything.
"""

from __future__ import annotations

import argparse
import csv
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import torch

from benchmarks.reward_trl import train_by

LENGTHS = Path(__file__).with_name("data") / "preference_lengths.csv"
VOCABULARY, END, PAD, POSITIONS = 50258, 50256, 50257, 1024
# layers, width, heads
SIZES = {"small": (4, 256, 4), "gpt2": (12, 768, 12)}
EQUAL = 256
RATE, CLIP, DECAY = 1e-6, 1.0, 0.0
SEED = 5

# `--cpu`: the time of the processor instead, for machines that others use as well.
CLOCK = time.perf_counter

Pair = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Run:
    """Some batches trained on: seconds of all steps, and the loss of each."""

    seconds: float
    losses: list[float]


def pairs(data: str, count: int) -> list[Pair]:
    """Random tokens, of the lengths of real data, or all of one length with nothing shared."""
    draw = random.Random(SEED)
    if data == "equal":
        return [_pair(draw, 0, EQUAL - 1, EQUAL - 1) for _ in range(count)]
    with LENGTHS.open(encoding="utf-8") as file:
        rows = [tuple(map(int, row.values())) for row in csv.DictReader(file)]
    return [_pair(draw, *row) for row in draw.sample(rows, count)]


def _pair(draw: random.Random, prompt: int, chosen: int, rejected: int) -> Pair:
    """Two answers to one prompt, which is cut where the model has no more positions."""
    room = POSITIONS - 1 - max(chosen, rejected)
    beginning = _tokens(draw, min(prompt, room))
    return [*beginning, *_tokens(draw, chosen), END], [*beginning, *_tokens(draw, rejected), END]


def _tokens(draw: random.Random, count: int) -> list[int]:
    return [draw.randrange(END) for _ in range(count)]


def batches(given: list[Pair], size: int) -> list[list[Pair]]:
    """The pairs in their order, some at a time."""
    return [given[start : start + size] for start in range(0, len(given), size)]


def write_weights(folder: Path, size: str) -> None:
    """A GPT-2 with one label and random weights."""
    from transformers import GPT2Config, GPT2ForSequenceClassification

    layers, width, heads = SIZES[size]
    config = GPT2Config(
        vocab_size=VOCABULARY, n_layer=layers, n_embd=width, n_head=heads, n_positions=POSITIONS
    )
    config.num_labels, config.pad_token_id = 1, PAD
    config.resid_pdrop = config.embd_pdrop = config.attn_pdrop = 0.0
    torch.manual_seed(SEED)
    GPT2ForSequenceClassification(config).save_pretrained(folder)


def train_by_trl(folder: Path, given: list[Pair], size: int) -> Run:
    """TRL's trainer as it is: its collator, its loss, its metrics; our clock around the steps."""
    from transformers import AutoModelForSequenceClassification, TrainerCallback
    from trl import RewardTrainer

    times, losses = [], []

    class Clock(TrainerCallback):  # type: ignore[misc]
        def on_train_begin(self, *_: Any, **__: Any) -> None:
            times.append(CLOCK())

        def on_step_end(self, *_: Any, **__: Any) -> None:
            times.append(CLOCK())

    class Recorded(RewardTrainer):  # type: ignore[misc]
        def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
            loss = super().compute_loss(*args, **kwargs)
            losses.append(loss.detach())
            return loss

    train_by(
        Recorded,
        AutoModelForSequenceClassification.from_pretrained(folder),
        [{"chosen_ids": chosen, "rejected_ids": rejected} for chosen, rejected in given],
        ids=(END, PAD),
        callbacks=[Clock()],
        per_device_train_batch_size=size,
        learning_rate=RATE,
        max_grad_norm=CLIP,
        weight_decay=DECAY,
    )
    return Run(times[-1] - times[0], [loss.item() for loss in losses])


def train_here(folder: Path, given: list[Pair], size: int) -> Run:
    """The loop of this package as it is, with guard and metrics, in the given order of batches."""
    from wellshaped.train.algorithms.reward import PreferenceLoss, reward_step
    from wellshaped.train.data.comparisons import Comparison, Comparisons
    from wellshaped.train.distributed.processes import join
    from wellshaped.train.loop import Loop
    from wellshaped.train.loop_settings import LoopSettings
    from wellshaped.train.reward.comparison_batches import comparison_batch
    from wellshaped.train.reward.model import RewardModel
    from wellshaped.train.training_task import Batches, TrainingTask

    rows = Comparisons(Comparison((tuple(c), tuple(r)), (0.0,)) for c, r in given)
    plan = [range(first, first + size) for first in range(0, len(rows), size)]
    model = RewardModel.from_pretrained(folder)
    model.settle(max(rows.longest()))
    losses: list[float] = []
    with tempfile.TemporaryDirectory() as output:
        loop = Loop(
            TrainingTask(
                model,
                Batches(lambda _: plan, partial(comparison_batch, rows), len(rows)),
                partial(reward_step, model, PreferenceLoss()),
            ),
            LoopSettings(
                epochs=1, learning_rate=RATE, schedule="constant", clip=CLIP, weight_decay=DECAY
            ),
            accelerator=join(precision="no", trackers=(), folder=Path(output)),
            tell=lambda told: losses.append(told.values["loss"]),
        )
        start = CLOCK()
        loop.run()
        return Run(CLOCK() - start, losses)


PEERS = {"TRL": train_by_trl, "wellshaped": train_here}


def computed_tokens(given: list[Pair], size: int) -> tuple[float, float]:
    """Tokens computed for each real token: padded to the longest, and laid out here."""
    from wellshaped.train.reward.layout import lay_out

    real = sum(len(text) for pair in given for text in pair)
    padded = sum(
        2 * len(batch) * max(len(text) for pair in batch for text in pair)
        for batch in batches(given, size)
    )
    texts = [[torch.tensor(text) for text in pair] for pair in given]
    laid = sum(group.tokens for group in lay_out(texts, share=True)[1])
    return padded / real, laid / real


def _peak_megabytes() -> float:
    """The most that this program held; what stood here before it was started does not count."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def peak_megabytes(peer: str, arguments: argparse.Namespace, data: str) -> float:
    """The most memory a process held that did nothing but a few batches by one peer."""
    command = [sys.executable, "-m", "benchmarks.reward_speed", "--size", arguments.size]
    command += ["--data", data, "--batch", str(arguments.batch), "--alone", peer]
    command += ["--batches", str(arguments.batches), "--threads", str(arguments.threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


@dataclass(frozen=True)
class Measured:
    """What one peer took: milliseconds a step, tokens computed for a real one, megabytes."""

    step: float
    tokens: float
    memory: float


@dataclass(frozen=True)
class Comparison:
    """Both on the same batches: what each took, the ratios of all repeats, how losses differ."""

    peers: dict[str, Measured]
    ratios: list[float]
    difference: float

    def lines(self) -> list[str]:
        """A row for each peer, the ratio, and the difference."""
        rows = [
            f"{peer:22}{took.step:9.0f} ms/step{took.tokens:8.2f} tokens/real token"
            f"{took.memory:8.0f} MB"
            for peer, took in self.peers.items()
        ]
        least, most = min(self.ratios), max(self.ratios)
        ratio = f"{'ratio':22}{median(self.ratios):9.2f}   (from {least:.2f} to {most:.2f})"
        return [*rows, ratio, f"largest difference of a loss {self.difference:.1e}"]


def compare(folder: Path, data: str, arguments: argparse.Namespace) -> Comparison:
    """Both in turns on the same batches; medians, their ratio, and the differences of losses."""
    given = pairs(data, arguments.batches * arguments.batch)
    runs: dict[str, list[Run]] = {peer: [] for peer in PEERS}
    for _ in range(arguments.repeats):
        for peer, train in PEERS.items():
            runs[peer].append(train(folder, given, arguments.batch))
    trl, ours = runs.values()
    tokens = dict(zip(PEERS, computed_tokens(given, arguments.batch), strict=True))
    took = {
        peer: Measured(
            median(run.seconds for run in many) / arguments.batches * 1000,
            tokens[peer],
            peak_megabytes(peer, arguments, data),
        )
        for peer, many in runs.items()
    }
    return Comparison(
        took,
        [a.seconds / b.seconds for a, b in zip(trl, ours, strict=True)],
        max(abs(a - b) for a, b in zip(trl[0].losses, ours[0].losses, strict=True)),
    )


def read(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--data", nargs="+", choices=("real", "equal"), default=["real", "equal"])
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--alone", choices=PEERS, help="train by one, and print its peak memory")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu", action="store_true", help="time of the processor, not of the wall")
    return parser.parse_args(arguments)


def measure(arguments: argparse.Namespace) -> Iterator[tuple[str, Comparison]]:
    """The kinds of data asked for, one after the other, on one set of weights."""
    from transformers.utils import logging

    global CLOCK
    CLOCK = time.process_time if arguments.cpu else time.perf_counter
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.set_num_threads(arguments.threads)
    with tempfile.TemporaryDirectory() as name:
        write_weights(Path(name), arguments.size)
        for data in arguments.data:
            yield data, compare(Path(name), data, arguments)


def alone(arguments: argparse.Namespace) -> float:
    """Some batches by one peer only; the most memory that took."""
    torch.set_num_threads(arguments.threads)
    with tempfile.TemporaryDirectory() as name:
        write_weights(Path(name), arguments.size)
        given = pairs(arguments.data[0], min(3, arguments.batches) * arguments.batch)
        PEERS[arguments.alone](Path(name), given, arguments.batch)
    return _peak_megabytes()


def main() -> None:
    """Print a table for each kind of data."""
    arguments = read()
    if arguments.alone:
        print(alone(arguments))
        return
    print(f"torch {torch.__version__}, trl {version('trl')}, {arguments.threads} thread(s)")
    for data, comparison in measure(arguments):
        print(f"\n{arguments.size}, {data} lengths, batch {arguments.batch}")
        print("\n".join(f"  {line}" for line in comparison.lines()), flush=True)


if __name__ == "__main__":
    main()
