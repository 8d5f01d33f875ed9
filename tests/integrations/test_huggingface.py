"""The callback in a real `Trainer` of transformers."""

import warnings

import pytest
import torch
import transformers
from torch import nn

import wellshaped
from tests.repeated import few
from wellshaped.execute.sandbox.kernel import confinement
from wellshaped.integrations.huggingface import ShapeCallback

pytestmark = pytest.mark.slow


class Rows(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
    def __init__(self, count=10):
        made = torch.Generator().manual_seed(0)
        self.x, self.y = torch.randn(count, 3, generator=made), torch.randn(count, generator=made)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, at):
        return {"x": self.x[at], "labels": self.y[at]}


class Model(nn.Module):
    """`how` is what becomes of the column of scores before the loss."""

    def __init__(self, how):
        super().__init__()
        torch.manual_seed(1)
        self.layer, self.how, self.steps = nn.Linear(3, 1), how, 0

    def forward(self, x, labels):
        self.steps += 1
        return {"loss": nn.functional.poisson_nll_loss(self.how(self.layer(x)), labels)}


def column(scores):
    return scores


def vector(scores):
    return scores.squeeze(1)


def bare(scores):
    return scores.squeeze()


class OnTop(transformers.Trainer):  # type: ignore[misc]
    """The loss is not the model's, as in many trainers."""

    def compute_loss(self, model, inputs, *_, **__):
        return nn.functional.poisson_nll_loss(model.how(model.layer(inputs["x"])), inputs["labels"])


@pytest.fixture
def make(tmp_path):
    def trainer(how, kind=transformers.Trainer, **settings):
        given = {"max_steps": 3, "per_device_train_batch_size": 4, **settings}
        arguments = transformers.TrainingArguments(
            str(tmp_path),
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
            save_strategy="no",
            **given,
        )
        return kind(model=Model(how), args=arguments, train_dataset=Rows(), eval_dataset=Rows())

    return trainer


def weights(trainer):
    return torch.cat([each.detach().flatten() for each in trainer.model.parameters()])


@pytest.mark.parametrize("kind", few([transformers.Trainer, OnTop], OnTop))
def test_a_broadcast_is_raised_before_the_first_step(make, kind):
    trainer = make(column, kind)
    before = weights(trainer)
    trainer.add_callback(ShapeCallback(trainer))
    with pytest.raises(wellshaped.ShapeMismatch, match=r"error\[WS301\]"):
        trainer.train()
    assert torch.equal(weights(trainer), before)


def test_or_reported(make):
    trainer = make(column)
    trainer.add_callback(ShapeCallback(trainer, on_hazard="warn"))
    with pytest.warns(wellshaped.ShapeWarning) as seen:
        trainer.train()
    (told,) = seen  # by the check ahead; the guard does not tell it again
    assert "error[WS301]" in str(told.message)
    assert trainer.state.global_step == 3


def test_what_fails_at_other_sizes_only_is_a_warning(make):
    trainer = make(bare)
    trainer.add_callback(ShapeCallback(trainer))
    with pytest.warns(wellshaped.ShapeWarning, match=r"fails at B = 1"):
        trainer.train()
    assert trainer.state.global_step == 3


def test_a_hazard_of_a_later_batch_is_met_by_the_guard(make):
    def at_last(scores):
        return scores if len(scores) == 2 else scores.squeeze(1)

    trainer = make(at_last)  # batches of 4, 4 and 2
    trainer.add_callback(ShapeCallback(trainer))
    with (
        pytest.warns(wellshaped.ShapeWarning),  # the size is one of those that are tried ahead
        pytest.raises(wellshaped.ShapeMismatch),
    ):
        trainer.train()
    assert trainer.state.global_step == 2


def test_losses_of_an_evaluation_are_judged_too(make):
    def while_evaluating(scores):
        return scores.squeeze(1) if torch.is_grad_enabled() else scores

    trainer = make(while_evaluating, eval_strategy="steps", eval_steps=1)
    trainer.add_callback(ShapeCallback(trainer))
    with pytest.raises(wellshaped.ShapeMismatch):
        trainer.train()
    assert trainer.state.global_step == 1


def test_a_healthy_training_is_the_same_with_and_without(make):
    plain, watched = make(vector), make(vector)
    watched.add_callback(ShapeCallback(watched))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain.train()
        watched.train()
    assert torch.equal(weights(plain), weights(watched))
    assert watched.model.steps == plain.model.steps, "tried in children, not here"
    assert not {"training_step", "prediction_step"} & set(vars(watched))


def test_what_to_do_is_one_of_two():
    with pytest.raises(ValueError, match="WS914"):
        ShapeCallback(None, on_hazard="record")


def test_without_landlock_the_step_is_not_tried_ahead(make, monkeypatch):
    monkeypatch.setattr(confinement, "can_confine", lambda: False)
    trainer = make(vector)
    trainer.add_callback(ShapeCallback(trainer))
    with pytest.warns(wellshaped.ShapeWarning, match="WS964") as seen:
        trainer.train()
    (told,) = seen
    assert "Landlock" in str(told.message)
    assert trainer.state.global_step == 3
