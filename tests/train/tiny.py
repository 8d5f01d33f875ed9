"""A tiny regression that every part of the loop can be tried on, and its command."""

import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from wellshaped.train.artifacts.checkpoint import Checkpoints
from wellshaped.train.artifacts.track import Track
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.training_task import Batches, StepResult, TrainingTask

ROWS = 37


def rows() -> tuple[torch.Tensor, torch.Tensor]:
    chance = torch.Generator().manual_seed(7)
    inputs = torch.randn(ROWS, 5, generator=chance)
    return inputs, (inputs.sum(1) + 0.1 * torch.randn(ROWS, generator=chance))


def work(batch: int, *, dropout: float = 0.0, seed: int = 3) -> TrainingTask:
    inputs, targets = rows()
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(dropout), nn.Tanh(), nn.Linear(8, 1))

    def plan(epoch: int) -> list[list[int]]:
        chance = torch.Generator().manual_seed(epoch)
        order = torch.randperm(ROWS, generator=chance).tolist()
        return [order[at : at + batch] for at in range(0, ROWS, batch)]

    def step(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> StepResult:
        made = model(batch[0]).squeeze(1)
        loss = nn.functional.mse_loss(made, batch[1], reduction="sum")
        error = (made - batch[1]).abs().sum()
        return StepResult(loss, len(made), {"error": error}, tokens=5 * len(made), computed=40)

    def evaluate(model: nn.Module) -> dict[str, float]:
        made = model(inputs).squeeze(1)
        return {"loss": float(nn.functional.mse_loss(made, targets))}

    def load(key: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        return inputs[list(key)], targets[list(key)]

    return TrainingTask(model, Batches(plan, load, ROWS), step, evaluate)


def main(folder: str, out: str, batch: str, accumulate: str, dropout: str = "0.2") -> None:
    """Train, as one of several processes if so launched, and store the weights."""
    torch.set_num_threads(1)
    settings = LoopSettings(epochs=4, accumulate=int(accumulate), save_every=1, seed=1)
    accelerator = join()
    given = work(int(batch), dropout=float(dropout))
    kept = Checkpoints(folder, marks={"batch": batch}, better="lower")
    track = Track(Path(folder).with_name("log"))
    Loop(given, settings, accelerator=accelerator, checkpoints=kept, track=track).run(resume=True)
    if accelerator.is_main_process:
        save_file(given.model.state_dict(), out)
    accelerator.end_training()


if __name__ == "__main__":
    main(*sys.argv[1:])
