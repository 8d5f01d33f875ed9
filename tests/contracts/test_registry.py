"""The tables cover every loss torch has, and every row can be read."""

import inspect

import pytest
import torch
import torch.nn.functional as F
from torch.nn.modules import loss as torch_losses

from wellshaped.contracts.formula import compiled
from wellshaped.contracts.notation import parse_arrangement
from wellshaped.contracts.registry import MODULES, ROWS, parameters


def torch_loss_modules() -> set[str]:
    classes = inspect.getmembers(torch_losses, inspect.isclass)
    own = {name for name, kind in classes if kind.__module__ == torch_losses.__name__}
    return {name for name in own if not name.startswith("_")} | {"AdaptiveLogSoftmaxWithLoss"}


def test_every_loss_module_has_a_contract():
    assert torch_loss_modules() == set(MODULES)
    assert len(MODULES) == 24


def test_every_loss_functional_has_a_contract():
    named = {name for name in vars(F) if name.endswith(("_loss", "cross_entropy", "kl_div"))}
    functions = {
        name
        for name in named | {"binary_cross_entropy_with_logits"}
        if callable(getattr(F, name)) and not name.startswith("_")
    }
    assert functions == set(ROWS) - {"adaptive_log_softmax_with_loss"}
    assert len(functions) == 22


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_row_is_readable_and_names_real_arguments(row):
    names = {each.name for each in parameters(row.name)}
    assert set(row.predicts) <= set(row.tensors) <= names
    for line in row.needs:
        assert [term.argument for term in parse_arrangement(line)] == [
            name for name in row.tensors if name in line.split() or f"{name}?" in line.split()
        ]
    compiled(row.steps)
    assert hasattr(torch.nn, row.module) or row.module == "NLLLoss2d"
