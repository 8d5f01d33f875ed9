"""A small model with everything that is hard to share out, and its runs in one process of two.

python -m tests.train.engines FOLDER     runs each way of DeepSpeed, and each of them once more
"""

import os
import shutil
import sys
from pathlib import Path

import torch
from torch import Tensor, nn

from tests.train.pairs import zero
from wellshaped.train.artifacts.checkpoint import Checkpoints, write_weights
from wellshaped.train.artifacts.track import Track
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.training_task import Batches, StepResult, TrainingTask

ROWS, WORDS = 44, 7
# Small weights would stay whole in every process otherwise.
_ALL = {"stage3_param_persistence_threshold": 0}
_CPU = {"offload_optimizer": {"device": "cpu"}}
WAYS: dict[str, dict[str, object]] = {
    "first": {"stage": 1},
    "second": {"stage": 2},
    "third": {"stage": 3, **_ALL},
    "first, kept aside": {"stage": 1, **_CPU},
    "second, kept aside": {"stage": 2, **_CPU},
    "third, kept aside": {"stage": 3, **_ALL, **_CPU, "offload_param": {"device": "cpu"}},
}
# How a run of the first way goes on otherwise.
MOVES = {
    "to another stage": zero(**WAYS["third"]),
    "to copies": {"ACCELERATE_USE_DEEPSPEED": "false"},
}
STEPS = 6


class Tied(nn.Module):
    """Weights of odd sizes, one of them twice, one that does not learn, and a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, 5)
        self.frozen = nn.Linear(5, 5).requires_grad_(False)
        self.inner = nn.Sequential(nn.Linear(5, 3), nn.Tanh(), nn.Linear(3, 5), nn.LayerNorm(5))
        self.head = nn.Linear(5, WORDS, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("seen", torch.tensor([1.0, 2.0]))

    def forward(self, words_B: Tensor) -> Tensor:
        logits_BV: Tensor = self.head(self.inner(self.frozen(self.words(words_B))))  # (B, V)
        return logits_BV


def work() -> TrainingTask:
    """Windows of four batches: one without a row that counts, a whole one, one of three."""
    chance = torch.Generator().manual_seed(7)
    words_N, targets_N = torch.randint(WORDS, (2, ROWS), generator=chance)  # (N,), (N,)
    counts_N = torch.ones(ROWS)
    counts_N[:32] = 0.0
    counts_N[16:32] = 0.5
    torch.manual_seed(3)

    def step(model: nn.Module, rows: list[int]) -> StepResult:
        losses_B = nn.functional.cross_entropy(
            model(words_N[rows]), targets_N[rows], reduction="none"
        )  # (B,)
        count = float(counts_N[rows].sum())
        return StepResult((losses_B * counts_N[rows]).sum(), count)

    def evaluate(model: nn.Module) -> dict[str, float]:
        return {"loss": float(nn.functional.cross_entropy(model(words_N), targets_N))}

    def plan(epoch: int) -> list[list[int]]:
        return [list(range(at, min(at + 4, ROWS))) for at in range(0, ROWS, 4)]

    return TrainingTask(Tied(), Batches(plan, lambda rows: rows, ROWS), step, evaluate)


def run(out: Path, *, accumulate: int) -> None:
    """Train from where the folder is; the result is written, and what each step came to."""
    torch.set_num_threads(1)
    settings = LoopSettings(
        epochs=2, accumulate=accumulate, save_every=1, evaluate_every=2, clip=0.3, seed=1
    )
    accelerator = join()
    kept = Checkpoints(out / "checkpoints", marks={}, better="lower", keep=STEPS)
    track = Track(out / "log")
    loop = Loop(work(), settings, accelerator=accelerator, checkpoints=kept, track=track)
    loop.run(resume=True)
    track.end()
    made = loop.trained()
    if accelerator.is_main_process:
        write_weights(made.state_dict(), out / "result.safetensors")
    accelerator.wait_for_everyone()


def taken_back(begun: Path, out: Path) -> None:
    """A copy of a run without its last steps, made by one process."""
    if os.environ["RANK"] == "0":
        shutil.copytree(begun, out)
        for step in range(4, STEPS + 1):
            shutil.rmtree(out / "checkpoints" / f"step-{step:08d}")
    torch.distributed.barrier()


def main(folder: Path) -> None:
    for name, way in WAYS.items():
        os.environ.update(zero(**way))
        run(folder / name, accumulate=2)
        taken_back(folder / name, folder / f"{name}, again")
        run(folder / f"{name}, again", accumulate=2)
    for name, told in MOVES.items():
        os.environ.update(told)
        taken_back(folder / "first", folder / name)
        run(folder / name, accumulate=2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
