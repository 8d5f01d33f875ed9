"""LoopSettings: the shapes of the schedules, and groups of parameters that decay."""

import pytest
import torch
from torch import nn

from wellshaped.records.phrase import UserError
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.optimizer import adamw, decay_groups


def factors(**given) -> list[float]:
    return [round(LoopSettings(**given).factor(step, 10), 3) for step in range(10)]


def test_schedules() -> None:
    assert factors(schedule="constant") == [1.0] * 10
    assert factors(schedule="linear")[::3] == [1.0, 0.7, 0.4, 0.1]
    assert factors(schedule="linear", warmup=2)[:4] == [0.5, 1.0, 1.0, 0.875]
    assert factors(schedule="linear", warmup=0.2) == factors(schedule="linear", warmup=2)
    cosine = factors(schedule="cosine")
    assert cosine[0] == 1.0
    assert cosine[5] == 0.5
    assert cosine == sorted(cosine, reverse=True)
    assert min(factors(schedule="cosine", warmup=9)) > 0


@pytest.mark.parametrize(
    "given", [{"epochs": 0}, {"clip": -1.0}, {"learning_rate": float("nan")}, {"better": "more"}]
)
def test_what_cannot_be_is_refused(given) -> None:
    with pytest.raises(UserError, match="WS988"):
        LoopSettings(**given)


def test_biases_scales_and_embeddings_do_not_decay() -> None:
    model = nn.ModuleList([nn.Embedding(4, 3), nn.Linear(3, 2), nn.LayerNorm(2)])
    model[1].bias.requires_grad = False
    decayed, others = decay_groups(model)
    assert [tuple(each.shape) for each in decayed] == [(2, 3)]
    assert [tuple(each.shape) for each in others] == [(4, 3), (2,), (2,)]
    groups = adamw(model, LoopSettings(weight_decay=0.3)).param_groups
    assert [group["weight_decay"] for group in groups] == [0.3, 0.0]


def test_a_model_without_parameters_is_refused() -> None:
    with pytest.raises(UserError, match="WS988"):
        adamw(nn.Linear(2, 2).requires_grad_(False), LoopSettings())
    tied = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    tied[1].weight = tied[0].weight
    decayed, _ = decay_groups(tied)
    assert len(decayed) == 1
    assert isinstance(decayed[0], torch.Tensor)
