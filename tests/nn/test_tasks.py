"""Every task keeps the promises of the table: shapes, rows as if alone, nothing from padding."""

from unittest.mock import patch

import pytest
import torch
import torch.nn.functional as F

from tests.floats import CLOSE
from tests.nn.batches import FORMS, SIZES, a_batch, a_head, a_task
from wellshaped import guard
from wellshaped.nn import task
from wellshaped.nn.table import TABLE, axes_of
from wellshaped.records.phrase import UserError

forms = pytest.mark.parametrize(("row", "form"), FORMS.values(), ids=FORMS.keys())
sides = pytest.mark.parametrize("side", ["right", "left"])


def sizes_of(batch):
    sizes = {**SIZES, "B": len(batch.targets)}
    for name, axes in batch.axes.items():
        sizes |= dict(zip(axes, batch.inputs[name].shape, strict=True))
    return sizes


def shape_of(text, batch):
    return tuple(sizes_of(batch)[axis] for axis in axes_of(text))


@sides
@forms
@pytest.mark.parametrize("rows", [0, 1, 4])
def test_shapes_are_those_of_the_table(row, form, side, rows):
    head, batch = a_head(row), a_batch(row, form, side=side).rows(torch.arange(rows))
    with guard():
        outputs = head(**batch.inputs)
        loss = head.loss(outputs, batch.targets, batch.real)
    assert outputs.shape == shape_of(row.outputs, batch)
    assert batch.targets.shape == shape_of(row.targets, batch)
    assert head.predict(outputs, batch.real).shape == shape_of(row.predictions, batch)
    elements = head.loss(outputs, batch.targets, batch.real, reduction="none")
    assert elements.shape == shape_of(row.elements, batch)
    assert loss.shape == ()
    assert torch.isfinite(loss)


@sides
@forms
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_batch_equals_its_rows_alone(row, form, side, seed):
    head, batch = a_head(row, seed=seed), a_batch(row, form, side=side, seed=seed)
    outputs = head(**batch.inputs)
    losses = head.loss(outputs, batch.targets, batch.real, reduction="none")
    found = head.predict(outputs, batch.real)
    total, count = 0.0, 0
    for number in range(4):
        alone = batch.row(number)
        output = head(**alone.inputs)
        loss = head.loss(output, alone.targets, alone.real, reduction="none")
        total, count = total + loss.sum(), count + loss.numel()
        keep = batch.real[number] if batch.real is not None else ...
        torch.testing.assert_close(outputs[number][keep], output[0], **CLOSE)
        torch.testing.assert_close(losses[number][keep], loss[0], **CLOSE)
        predicted = head.predict(output, alone.real)[0]
        torch.testing.assert_close(found[number][keep], predicted, **CLOSE)
        if batch.real is not None:
            assert (losses[number][~keep] == 0).all()
            assert (outputs[number][~keep] == 0).all()
            assert (found[number][~keep] == -100).all()
    mean = head.loss(outputs, batch.targets, batch.real)
    torch.testing.assert_close(mean, total / count, **CLOSE)
    summed = head.loss(outputs, batch.targets, batch.real, reduction="sum")
    torch.testing.assert_close(summed, total, **CLOSE)


@sides
@forms
def test_permuted_rows_give_permuted_results(row, form, side):
    head, batch, order = a_head(row), a_batch(row, form, side=side), torch.tensor([2, 0, 3, 1])
    outputs, permuted = head(**batch.inputs), batch.rows(order)
    torch.testing.assert_close(head(**permuted.inputs), outputs[order], **CLOSE)
    losses = head.loss(outputs, batch.targets, batch.real, reduction="none")[order]
    again = head.loss(outputs[order], permuted.targets, permuted.real, reduction="none")
    torch.testing.assert_close(again, losses, **CLOSE)


@sides
@forms
@pytest.mark.parametrize("junk", [float("nan"), float("inf"), float("-inf")])
def test_gradients_at_padding_are_exactly_zero(row, form, side, junk):
    head, batch = a_head(row), a_batch(row, form, side=side, junk=junk)
    name = next(iter(batch.inputs))
    features = batch.inputs[name].requires_grad_()
    head.loss(head(**batch.inputs), batch.targets, batch.real).backward()
    assert features.grad is not None
    mask = batch.inputs.get("source_real", batch.inputs.get("real"))
    if mask is not None:
        assert (features.grad[~mask] == 0).all()
        features = features.grad[mask]
    for gradient in (*(weight.grad for weight in head.parameters()), features):
        assert gradient is None or torch.isfinite(gradient).all()
    assert features.abs().sum() > 0


@forms
def test_an_empty_batch_trains_nothing(row, form):
    head, batch = a_head(row), a_batch(row, form).rows(torch.arange(0))
    loss = head.loss(head(**batch.inputs), batch.targets, batch.real)
    loss.backward()
    assert loss == 0
    assert all((weight.grad == 0).all() for weight in head.parameters() if weight.grad is not None)
    assert head.outputs.weight.grad is not None


@sides
@pytest.mark.parametrize("pool", ["last", "first", "mean", "max", "attention"])
def test_any_pooling_leaves_rows_alone(pool, side):
    row, form = FORMS["multiclass-num_classes-positions"]
    head, batch = a_head(row, pool=pool), a_batch(row, form, side=side)
    outputs = head(**batch.inputs)
    for number in range(4):
        alone = head(**batch.row(number).inputs)
        torch.testing.assert_close(outputs[number : number + 1], alone, **CLOSE)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.name}-{row.option}")
def test_the_loss_is_the_one_of_torch(row):
    head, batch = a_head(row), a_batch(row, row.inputs[-1])
    outputs = head(**batch.inputs)
    with patch.object(F, row.loss, wraps=getattr(F, row.loss)) as called:
        ours = head.loss(outputs, batch.targets, batch.real)
    assert called.called
    targets = batch.targets.float() if row.target_values == "zero_one" else batch.targets
    if row.target_values == "scores":
        outputs, targets = outputs - targets, torch.ones_like(targets)
    if batch.real is not None:
        outputs, targets = outputs[batch.real], targets[batch.real]
    torch.testing.assert_close(ours, getattr(F, row.loss)(outputs, targets))


def test_what_is_ignored_does_not_count():
    logits, classes = torch.randn(4, 3), torch.tensor([0, -100, 2, -100])
    ours = task("multiclass", num_classes=3).loss(logits, classes)
    torch.testing.assert_close(ours, F.cross_entropy(logits, classes))


def test_only_chosen_rows_or_elements_count():
    many = task("multilabel", num_labels=3)
    logits, targets = torch.randn(4, 3), torch.randint(2, (4, 3))
    rows = torch.tensor([True, False, True, False])
    kept = many.loss(logits[rows], targets[rows])
    torch.testing.assert_close(many.loss(logits, targets, rows), kept)
    torch.testing.assert_close(many.loss(logits, targets, rows.unsqueeze(1).expand(4, 3)), kept)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.name}-{row.option}")
def test_a_column_is_not_a_vector(row):
    head, batch = a_head(row), a_batch(row, row.inputs[-1])
    outputs = head(**batch.inputs)
    with pytest.raises(UserError) as caught:
        head.loss(outputs, batch.targets.unsqueeze(-1), batch.real)
    assert caught.value.code == "WS924"
    assert "`targets`" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("clustering", {}, "WS925"),
        ("multiclass", {}, "WS926"),
        ("multiclass", {"num_labels": 3}, "WS926"),
        ("binary", {"num_classes": 2}, "WS926"),
        ("seq2seq", {"vocab_size": 9}, "WS926"),
        ("multilabel", {"num_labels": 0}, "WS926"),
        ("multilabel", {"num_labels": True}, "WS926"),
        ("seq2seq", {"vocab_size": 9, "bos": 1, "eos": 9}, "WS926"),
    ],
)
def test_other_names_and_options_are_refused(name, options, code):
    with pytest.raises(UserError) as caught:
        task(name, **options)
    assert caught.value.code == code


def test_a_refusal_says_what_is_known():
    with pytest.raises(UserError, match=r'`task\("regression", num_outputs=…\)`'):
        task("regression", outputs=2)


def test_other_tensors_are_refused():
    tags, classes = task("tagging", num_classes=3), task("multiclass", num_classes=3)
    outputs, targets = torch.randn(2, 4, 3), torch.zeros(2, 4, dtype=torch.long)
    for code, call in {
        "WS922": lambda: tags.loss(outputs, targets),
        "WS924": lambda: tags.loss(outputs[..., :2], targets, torch.tensor([4, 2])),
        "WS925": lambda: classes.loss(outputs[0], targets[0], reduction="batchmean"),
        "WS927": lambda: classes.loss(outputs[0], targets[0].float()),
    }.items():
        with pytest.raises(UserError) as caught:
            call()
        assert caught.value.code == code
    head = classes.head(5)
    for code, call in {
        "WS922": lambda: head(torch.randn(2, 4, 5)),
        "WS924": lambda: head(torch.randn(2, 5), torch.tensor([1, 1])),
        "WS925": lambda: classes.head(5, pool="median"),
    }.items():
        with pytest.raises(UserError) as caught:
            call()
        assert caught.value.code == code
    with pytest.raises(UserError, match=r"`features` of the task `multiclass` is \(2, 4\)"):
        head(torch.randn(2, 4))
    assert a_task(TABLE[0]).size is None
