"""The callback in a real `Trainer` of Lightning."""

import warnings

import lightning.pytorch as lightning
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import wellshaped
from tests.repeated import few
from wellshaped.integrations.lightning import ShapeCallback

pytestmark = [
    pytest.mark.slow,
    # About data loaders without workers and validation left out.
    pytest.mark.filterwarnings("ignore::lightning.fabric.utilities.warnings.PossibleUserWarning"),
    # Lightning 2.6 uses a part of torch's pytree that torch 2.13 deprecates.
    pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning"),
]


class Model(lightning.LightningModule):
    """`how` is what becomes of the column of scores before the loss."""

    def __init__(self, how, manual=False):
        super().__init__()
        torch.manual_seed(1)
        self.layer, self.how, self.steps = nn.Linear(3, 1), how, 0
        self.automatic_optimization = not manual

    def training_step(self, batch, batch_idx):
        self.steps += 1
        x, y = batch
        loss = nn.functional.poisson_nll_loss(self.how(self.layer(x)), y)
        self.log("loss", loss, on_epoch=True, prog_bar=True)
        if not self.automatic_optimization:
            self.optimizers().zero_grad()
            self.manual_backward(loss)
            self.optimizers().step()
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        return nn.functional.poisson_nll_loss(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


def rows():
    made = torch.Generator().manual_seed(0)
    data = TensorDataset(torch.randn(10, 3, generator=made), torch.randn(10, generator=made))
    return DataLoader(data, batch_size=4)


def fit(folder, model, *callbacks, validate=False):
    trainer = lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        default_root_dir=folder,
        callbacks=list(callbacks),
    )
    trainer.fit(model, rows(), rows() if validate else None)
    return trainer


def weights(model):
    return torch.cat([each.detach().flatten() for each in model.parameters()])


def column(scores):
    return scores


def vector(scores):
    return scores.squeeze(1)


@pytest.mark.parametrize("manual", few([False, True], True))
def test_a_broadcast_is_raised_before_the_first_step(tmp_path, manual):
    model = Model(column, manual)
    before = weights(model)
    with pytest.raises(wellshaped.ShapeMismatch, match=r"error\[WS301\]"):
        fit(tmp_path, model, ShapeCallback())
    assert torch.equal(weights(model), before)


def test_or_reported(tmp_path):
    with pytest.warns(wellshaped.ShapeWarning) as seen:
        trainer = fit(tmp_path, Model(column), ShapeCallback(on_hazard="warn"))
    (told,) = [each for each in seen if issubclass(each.category, wellshaped.ShapeWarning)]
    assert "error[WS301]" in str(told.message)
    assert trainer.global_step == 3


def test_what_validation_does_is_guarded(tmp_path):
    with pytest.raises(wellshaped.ShapeMismatch, match="poisson_nll_loss"):
        fit(tmp_path, Model(vector), ShapeCallback(), validate=True)


@pytest.mark.parametrize("manual", few([False, True], False))
def test_a_healthy_training_is_the_same_with_and_without(tmp_path, manual):
    plain, watched = Model(vector, manual), Model(vector, manual)
    with warnings.catch_warnings():
        warnings.simplefilter("error", wellshaped.ShapeWarning)
        fit(tmp_path, plain)
        fit(tmp_path, watched, ShapeCallback())
    assert torch.equal(weights(plain), weights(watched))
    assert watched.steps == plain.steps, "tried in children, not here"


def test_no_guard_stays_behind(tmp_path):
    def broken(scores):
        raise KeyError("mine")

    with pytest.warns(wellshaped.ShapeWarning, match="WS964"), pytest.raises(KeyError):
        fit(tmp_path, Model(broken), ShapeCallback())
    fit(tmp_path, Model(vector), ShapeCallback())
    nn.functional.poisson_nll_loss(torch.zeros(4, 1), torch.zeros(4))
