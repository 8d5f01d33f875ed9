"""What `task.collate` makes of samples fits the head, the loss and the metrics of the task."""

import pytest
import torch
from torch import nn

from tests.floats import near
from tests.nn.batches import SIZES, a_task
from wellshaped.batch import Padding, collate_for
from wellshaped.nn.table import TABLE, axes_of

TOKENS = [[1, 2, 3], [4], [5, 6, 1, 2, 3], [0, 0]]
SAMPLES = {
    "binary": [0, 1, 1, 0],
    "multiclass": [2, 0, 1, 2],
    "multilabel": [[0, 2], [], [1], [0, 1, 2]],
    "regression": [0.5, -1.0, 2.0, 3.5],
    "regression-num_outputs": [[0.5, 1.0], [-1.0, 2.0], [2.0, 0.0], [3.5, 1.0]],
    "tagging": [[0, 1, 2], [1], [2, 2, 0, 1, 0], [0, -100]],
    "seq2seq": [[3], [4, 5, 6], [3, 3], [0]],
    # No text ends as its rival does: which of two equal scores is larger, rounding would decide.
    "reward": [[4], [4, 5, 6], [3, 2], [7]],
}
tasks = pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.name}-{row.option}")
sides = pytest.mark.parametrize("side", ["right", "left"])


def samples_of(row):
    return list(
        zip(TOKENS, SAMPLES.get(f"{row.name}-{row.option}", SAMPLES[row.name]), strict=True)
    )


class Model(nn.Module):
    """Embedded tokens and the head of a task."""

    def __init__(self, task):
        super().__init__()
        torch.manual_seed(0)
        self.task = task
        self.words, self.head = nn.Embedding(10, SIZES["D"]), task.head(SIZES["D"])

    def forward(self, batch):
        features = self.words(batch.inputs.values)
        if self.task.name == "seq2seq":
            return self.head(features, batch.inputs, batch.targets)
        return self.head(features, batch.inputs)

    def outputs_and_targets(self, batch):
        outputs = self(batch)
        return batch.split(outputs) if self.task.name == "reward" else (outputs, batch.targets)


def collate_of(row, side):
    task = a_task(row)
    inputs = {"inputs": Padding(dtype=torch.int64, side=side)}
    if row.name == "seq2seq":
        inputs["outputs"] = inputs["inputs"]
    return collate_for(task.name, **task.options, **inputs)


@sides
@tasks
def test_samples_train_and_equal_themselves_alone(row, side):
    model, collate, samples = Model(a_task(row)), collate_of(row, side), samples_of(row)
    outputs, targets = model.outputs_and_targets(collate(samples))
    losses = model.task.loss(outputs, targets, reduction="none")
    assert losses.dim() == len(axes_of(row.elements))
    alone = []
    metrics, apart = model.task.metrics(), model.task.metrics()
    metrics.update(outputs, targets)
    for sample in samples:
        single = model.outputs_and_targets(collate([sample]))
        alone.append(model.task.loss(*single, reduction="sum"))
        apart.update(*single)
    torch.testing.assert_close(losses.sum(), sum(alone))
    assert metrics.compute() == near(apart.compute(), nan_ok=True)
    model.task.loss(outputs, targets).backward()
    assert all(torch.isfinite(weight.grad).all() for weight in model.parameters())


@tasks
def test_a_task_has_its_collate_function(row):
    task, samples = a_task(row), samples_of(row)
    ours, theirs = task.collate(samples), collate_of(row, "right")(samples)
    assert torch.equal(ours.inputs.values, theirs.inputs.values)
    if row.name != "reward":
        assert isinstance(ours.targets, type(theirs.targets))


@sides
@tasks
def test_a_batch_of_no_samples(row, side):
    model = Model(a_task(row))
    outputs, targets = model.outputs_and_targets(collate_of(row, side)([]))
    loss = model.task.loss(outputs, targets)
    assert loss == 0
    loss.backward()
