"""What the loop does with a task: its batches, the loss of one, and an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from wellshaped.train.tasks.encoding import RowBatch
from wellshaped.train.tasks.kinds import Example
from wellshaped.train.tasks.result import Trained
from wellshaped.train.training_task import StepResult, TrainingTask, bucketed

_LARGE_BATCH = 256


def training_task(
    result: Trained, trained: list[Example], held: list[Example], *, batch: int, seed: int
) -> TrainingTask:
    """Batches of similar length, the loss of their rows, and the metrics of those held out."""
    encoding, task = result.encoding, result.encoding.task()
    lengths = [max(len(each.tokens), 1) for each in trained]

    def load(places: Sequence[int]) -> RowBatch:
        return encoding.batch([trained[place] for place in places])

    def losses(outputs: Tensor, given: RowBatch) -> tuple[Tensor, int]:
        """The sum of the losses of a batch, and of how many."""
        assert given.targets is not None
        targets, counted = task.counted(outputs, given.targets, given.real)
        count = targets.numel() if counted is None else int(counted.sum())
        return task.loss(outputs, given.targets, given.real, reduction="sum"), count

    def step(model: nn.Module, given: RowBatch) -> StepResult:
        loss, count = losses(model(given), given)
        return StepResult(loss, count, {}, *_tokens(given))

    def evaluate(model: nn.Module) -> dict[str, float]:
        metrics, total, elements = task.metrics(), 0.0, 0
        device = next(model.parameters()).device
        for at in range(0, len(held), _LARGE_BATCH):
            given = encoding.batch(held[at : at + _LARGE_BATCH]).to(device)
            outputs, targets = model(given), given.targets
            loss, count = losses(outputs, given)
            total, elements = total + loss.item(), elements + count
            assert targets is not None
            if encoding.target_scales:
                outputs, targets = encoding.unscaled(outputs), encoding.unscaled(targets)
            metrics.update(outputs, targets, given.real)
        return {"loss": total / max(elements, 1), **metrics.compute()}

    return TrainingTask(
        result.model, bucketed(lengths, load, size=batch, seed=seed), step, evaluate
    )


def _tokens(batch: RowBatch) -> tuple[int, int]:
    """Real tokens, and those with the padding; rows where there is no text."""
    if batch.text is None:
        return batch.rows, batch.rows
    return int(batch.text.lengths.sum()), batch.text.values.numel()
