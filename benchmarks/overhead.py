"""What watching adds to a training step: ours and its peers, interleaved in one run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn

import wellshaped

Step = Callable[[], object]


def microseconds(step: Step, *, times: int) -> float:
    """The time of one call, from a run of several: the processor's, whoever else uses it."""
    start = time.process_time()
    for _ in range(times):
        step()
    return (time.process_time() - start) / times * 1e6


def added_to_a_step(rounds: int) -> tuple[float, dict[str, float]]:
    """Microseconds of a step of Linear(20, 64) → ReLU → Linear(64, 1), and percents on top."""
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    inputs, target = torch.randn(64, 20), torch.randn(64, 1)

    def step_with(loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Step:
        def step() -> None:
            optimizer.zero_grad()
            loss(model(inputs), target).backward()
            optimizer.step()

        return step

    bare = step_with(F.mse_loss)
    watched: dict[str, tuple[Step, Callable[[], AbstractContextManager[object]]]] = {
        "wellshaped.guard()": (bare, wellshaped.guard),
        **_peers(bare, step_with),
    }
    ratios: dict[str, list[float]] = {name: [] for name in watched}
    plain = []
    for _ in range(rounds):
        for name, (step, context) in watched.items():
            plain.append(microseconds(bare, times=50))
            with context():
                ratios[name].append(microseconds(step, times=50) / plain[-1])
    return median(plain), {name: 100 * (median(each) - 1) for name, each in ratios.items()}


def _peers(
    bare: Step, step_with: Callable[..., Step]
) -> dict[str, tuple[Step, Callable[[], AbstractContextManager[object]]]]:
    found: dict[str, tuple[Step, Callable[[], AbstractContextManager[object]]]] = {}
    try:
        from benchmarks.annotated import annotated_mse

        found["jaxtyping + beartype"] = step_with(annotated_mse), nullcontext
    except ImportError:
        print("jaxtyping, beartype: not installed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import tsensor

        found["TensorSensor"] = bare, lambda: tsensor.clarify(show=None)
    except ImportError:
        print("TensorSensor: not installed")
    return found
