"""Alignment: the same steps at every batch size, and the loss of the batch is that of its rows."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from wellshaped import ShapeMismatch, TensorFact, judge, reconcile

# loss, dtypes, shapes with "B" for the batch, the steps that align them
READINGS = [
    ("mse_loss", [("B", 1), ("B",)], "target.unsqueeze(1)"),
    ("mse_loss", [("B",), ("B", 1)], "target.squeeze(1)"),
    ("l1_loss", [("B", 3, 1, 1), ("B", 3)], "target.unsqueeze(2) target.unsqueeze(3)"),
    ("huber_loss", [("B", 4), ("B", 4, 1)], "target.squeeze(2)"),
    ("kl_div", [("B", 4), ("B", 1, 4)], "target.squeeze(1)"),
    ("binary_cross_entropy_with_logits", [("B", 1), ("B",)], "target.unsqueeze(1)"),
    ("margin_ranking_loss", [("B", 1), ("B", 1), ("B",)], "target.unsqueeze(1)"),
    ("cosine_embedding_loss", [("B", 7), ("B", 7), ("B", 1)], "target.squeeze(1)"),
    ("triplet_margin_loss", [("B", 7), ("B", 7), ("B", 1, 7)], "negative.squeeze(1)"),
    ("cross_entropy", [("B", 10), ("B", 1)], "target.squeeze(1)"),
    ("cross_entropy", [("B", 6, 10), ("B", 6)], "input.movedim(2, 1)"),
    ("cross_entropy", [("B", 10, 4, 5), ("B", 1, 4, 5)], "target.squeeze(1)"),
    ("nll_loss", [("B", 4, 5, 10), ("B", 4, 5)], "input.movedim(3, 1)"),
    ("multi_margin_loss", [("B", 6, 10), ("B", 6)], "input.flatten(0, 1) target.flatten(0, 1)"),
    ("mse_loss", [("B", 3), ("B", 3)], ""),
]


def tensors_of(loss, shapes, size, *, seed=0):
    generator = torch.Generator().manual_seed(seed)
    sizes = [tuple(size if axis == "B" else axis for axis in shape) for shape in shapes]
    made = [torch.rand(shape, generator=generator) for shape in sizes]
    if loss in ("cross_entropy", "nll_loss", "multi_margin_loss"):
        made[-1] = torch.randint(10, sizes[-1], generator=generator)
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 8])
@pytest.mark.parametrize(("loss", "shapes", "steps"), READINGS)
@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
def test_same_steps_at_every_batch_size_and_equal_to_the_rows(loss, shapes, steps, size):
    made = tensors_of(loss, shapes, size)
    aligned = reconcile(loss, *made)
    assert " ".join(map(str, aligned.steps)) == steps
    assert judge(loss, *aligned.tensors).outcome == "accept"
    together = getattr(F, loss)(*aligned.tensors)
    rows = [
        getattr(F, loss)(*reconcile(loss, *[each[i : i + 1] for each in made]).tensors)
        for i in range(size)
    ]
    torch.testing.assert_close(together, torch.stack(rows).mean())


@pytest.mark.parametrize("size", [1, 2, 8])
def test_one_side_already_flat(size):
    logits, target = torch.rand(size * 6, 10), torch.randint(10, (size, 6))
    assert [str(step) for step in reconcile("cross_entropy", logits, target).steps] == [
        "target.flatten(0, 1)"
    ]


@pytest.mark.parametrize("size", [1, 2, 5, 8, 10])
@pytest.mark.parametrize(
    ("loss", "shapes"),
    [
        ("mse_loss", [("B", 5), ("B",)]),
        ("mse_loss", [("B", 4), ("B", 4, 4)]),
        ("mse_loss", [("B",), ()]),
        ("margin_ranking_loss", [("B", 5), ("B", 5), ("B",)]),
        ("cross_entropy", [("B", 10), ("B", 3)]),
        ("binary_cross_entropy_with_logits", [("B", 2), ("B",)]),
    ],
)
def test_no_reading_at_any_batch_size(loss, shapes, size):
    with pytest.raises(ShapeMismatch, match="WS920"):
        reconcile(loss, *tensors_of(loss, shapes, size))


@pytest.mark.parametrize("size", [1, 4])
def test_one_hot_is_read_only_when_asked(size):
    logits = torch.rand(size, 10)
    numbers = torch.randint(10, (size,), generator=torch.Generator().manual_seed(1))
    one_hot = F.one_hot(numbers, 10)
    with pytest.raises(ShapeMismatch) as caught:
        reconcile("cross_entropy", logits, one_hot)
    assert set(caught.value.readings) == {"target.argmax(1)", "target.to(torch.float32)"}
    aligned = reconcile("cross_entropy", logits, one_hot, one_hot=True)
    assert torch.equal(aligned.tensors[1], numbers)


def test_class_numbers_become_int64():
    logits = torch.rand(3, 10)
    aligned = reconcile(nn.CrossEntropyLoss(), logits, torch.tensor([1, 2, 3], dtype=torch.int32))
    assert aligned.tensors[1].dtype == torch.int64
    aligned = reconcile("cross_entropy", logits, torch.tensor([[1.0], [2.0], [3.0]]))
    assert aligned.tensors[1].tolist() == [1, 2, 3]


def test_fractions_are_no_class_numbers():
    with pytest.raises(ShapeMismatch, match="WS921"):
        reconcile("cross_entropy", torch.rand(2, 3), torch.tensor([0.5, 1.0]))


def test_facts_and_modules():
    aligned = reconcile(nn.MSELoss(), TensorFact((8, 1)), TensorFact((8,)))
    assert aligned.tensors == (TensorFact((8, 1)), TensorFact((8, 1)))


def test_original_tensors_stay_as_they_are():
    column, vector = torch.rand(4, 1), torch.rand(4)
    aligned = reconcile("mse_loss", column, vector)
    assert aligned.tensors[0] is column
    assert vector.shape == (4,)
