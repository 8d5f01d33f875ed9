"""Shells of models: weights come back by name, and those that were one stay one."""

import torch
from torch import nn
from transformers import GPT2LMHeadModel

from tests.train.vocabularies import tiny
from wellshaped.train.distributed.sharding import filled, shell_of
from wellshaped.train.models.tiny import tiny_config


def test_a_shell_has_no_weights_and_gets_them_back():
    model = GPT2LMHeadModel(tiny_config(tiny(), width=16, layers=1)).eval()
    model.transformer.wpe.weight.requires_grad_(False)
    shell = shell_of(model)
    assert {each.device.type for each in shell.parameters()} == {"meta"}
    weights = {name: each.clone() for name, each in model.state_dict().items()}
    made = filled(shell, weights)
    assert made.lm_head.weight is made.transformer.wte.weight
    assert [each.requires_grad for each in made.parameters()] == [
        each.requires_grad for each in model.parameters()
    ]
    ids_BT = torch.tensor([[3, 4, 5]])
    assert torch.equal(made(ids_BT).logits, model(ids_BT).logits)


def test_what_a_layer_counted_while_it_learned_is_taken_too():
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    shell = shell_of(model)
    model(torch.randn(8, 3))
    made = filled(shell, model.state_dict()).eval()
    rows_BF = torch.randn(4, 3)
    assert torch.equal(made(rows_BF), model.eval()(rows_BF))
