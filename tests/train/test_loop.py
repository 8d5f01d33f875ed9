"""The loop: accumulation, resuming, several processes, early stopping, interrupts."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.floats import DEEP, near
from tests.train.tiny import work
from wellshaped import ShapeMismatch
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Step
from wellshaped.train.artifacts.checkpoint import Checkpoints
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.training_task import Batches, StepResult, TrainingTask


def run(given: TrainingTask, settings: LoopSettings, **more) -> list[Step]:
    told: list[Step] = []
    accelerator = join(precision=settings.precision)
    Loop(given, settings, accelerator=accelerator, tell=told.append, **more).run()
    return told


@pytest.mark.parametrize(("batch", "accumulate"), [(1, 8), (2, 4), (4, 2)])
def test_accumulated_batches_equal_one_large_batch(batch: int, accumulate: int) -> None:
    # 37 rows: the last window of an epoch is smaller, and the rows of a window stay the same.
    whole, parts = work(8), work(batch)
    one = run(whole, LoopSettings(epochs=2, learning_rate=0.01))
    many = run(parts, LoopSettings(epochs=2, learning_rate=0.01, accumulate=accumulate))
    assert len(one) == len(many) == 12
    for left, right in zip(one, many, strict=True):
        assert left.values["loss"] == near(right.values["loss"], within=DEEP)
        if not left.evaluated:
            norm = left.values["gradient_norm"]
            assert norm == near(right.values["gradient_norm"], within=DEEP)
    for ours, theirs in zip(whole.model.parameters(), parts.model.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, **DEEP)


def test_it_takes_the_steps_that_plain_torch_takes() -> None:
    given, plain = work(8), work(8)
    told = run(given, LoopSettings(epochs=1, schedule="constant", weight_decay=0.0, clip=0.5))
    shown = [step.values["gradient_norm"] for step in told if not step.evaluated]
    adam = torch.optim.AdamW(plain.model.parameters(), lr=1e-3, weight_decay=0.0)
    norms = []
    for key in plain.batches.plan(0):  # the last one is smaller
        inputs, targets = plain.batches.load(key)
        nn.functional.mse_loss(plain.model(inputs).squeeze(1), targets).backward()
        norms.append(nn.utils.clip_grad_norm_(plain.model.parameters(), 0.5).item())
        adam.step()
        adam.zero_grad()
    assert shown == near(norms, within=DEEP)
    for ours, theirs in zip(given.model.parameters(), plain.model.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, **DEEP)


def test_bfloat16_computes_in_it_and_keeps_the_weights() -> None:
    given, kinds = work(8), []
    first = next(given.model.children())
    first.register_forward_hook(lambda *each: kinds.append(each[2].dtype))
    told = run(given, LoopSettings(epochs=2, precision="bf16"))
    assert set(kinds) == {torch.bfloat16}
    given.model(torch.zeros(1, 5))
    assert kinds[-1] == torch.float32, "the model is as it was"
    assert {each.dtype for each in given.model.parameters()} == {torch.float32}
    before, after = (step.values["loss"] for step in told if step.evaluated)
    assert after < before


def test_float16_needs_a_graphics_processor() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(UserError, match="WS988"):
        join(precision="fp16")


def test_the_guard_is_on() -> None:
    def step(model: nn.Module, batch) -> StepResult:
        return StepResult(nn.functional.mse_loss(model(batch[0]), batch[1]), len(batch[0]))

    with pytest.raises(ShapeMismatch):
        run(replace(work(8), step=step), LoopSettings())


def test_a_loss_that_is_no_number_ends_the_run() -> None:
    def step(model: nn.Module, batch) -> StepResult:
        return StepResult(model(batch[0]).sum() * float("nan"), len(batch[0]))

    with pytest.raises(UserError, match=r"WS989.*step 1"):
        run(replace(work(8), step=step), LoopSettings())


def test_it_stops_early_and_keeps_the_best() -> None:
    given = work(8)
    scores = iter([3.0, 1.0, 2.0, 5.0, 0.0])
    seen: list[torch.Tensor] = []

    def evaluate(model: nn.Module) -> dict[str, float]:
        seen.append(next(model.parameters()).detach().clone())
        return {"loss": next(scores)}

    loop = Loop(
        replace(given, evaluate=evaluate),
        LoopSettings(epochs=9, patience=2),
        accelerator=join(),
    )
    ended = loop.run()
    assert (ended.how, ended.step, ended.best_step) == ("stopped early", 20, 10)
    torch.testing.assert_close(next(given.model.parameters()), seen[1], rtol=0, atol=0)


def test_a_run_without_rows_is_refused() -> None:
    given = work(8)
    empty = Batches(lambda _: [], given.batches.load, 0)
    with pytest.raises(UserError, match="WS984"):
        run(replace(given, batches=empty), LoopSettings())


def test_an_interrupt_leaves_a_checkpoint_that_goes_on(tmp_path: Path) -> None:
    whole, cut = work(8, dropout=0.3), work(8, dropout=0.3)
    settings = LoopSettings(epochs=2, seed=5)
    run(whole, settings)

    def interrupt(step: Step) -> None:
        if step.step == 3:
            os.kill(os.getpid(), signal.SIGINT)

    kept = Checkpoints(tmp_path, marks={}, better="lower")
    loop = Loop(cut, settings, accelerator=join(), checkpoints=kept, tell=interrupt)
    ended = loop.run()
    assert (ended.how, ended.step) == ("interrupted", 4)
    told: list[Any] = []
    again = Loop(cut, settings, accelerator=join(), checkpoints=kept, tell=told.append)
    assert again.run(resume=True).how == "finished"
    assert told[0] == Phrase("run_goes_on", {"step": 4})
    for ours, theirs in zip(cut.model.parameters(), whole.model.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)
