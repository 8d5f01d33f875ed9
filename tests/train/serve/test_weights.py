"""Weights that fit are taken; of others none is, and the message names the tensor."""

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from tests.train.rl.models import policy
from wellshaped.records.phrase import UserError
from wellshaped.train.checkpoint import write_weights
from wellshaped.train.serve.weights import take


class Net(nn.Module):
    """A head that is the table once more."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 3)
        self.middle = nn.Linear(3, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.table.weight


def given(**changes):
    found = {"table.weight": torch.ones(5, 3), "middle.weight": torch.ones(3, 3)}
    found["middle.bias"] = torch.ones(3)
    found |= {name.replace("_", "."): tensor for name, tensor in changes.items()}
    return {name: tensor for name, tensor in found.items() if tensor is not None}


def test_what_fits_is_taken_and_what_is_tied_need_not_be_given(tmp_path):
    net = Net()
    save_file(given(table_weight=torch.ones(5, 3).bfloat16()), tmp_path / "w")
    assert take(net, tmp_path / "w", whole=True) == 3
    assert all(one.eq(1).all() for one in net.state_dict().values())
    assert net.head.weight is net.table.weight


def test_all_weights_of_a_policy_with_names_that_share_memory(tmp_path):
    ours, theirs = policy(seed=0), policy(seed=1)
    write_weights(theirs.state_dict(), tmp_path / "w")
    take(ours, tmp_path / "w", whole=True)
    assert all(one.equal(theirs.state_dict()[name]) for name, one in ours.state_dict().items())


def test_some_weights_on_top_of_others(tmp_path):
    net = Net()
    before = net.table.weight.clone()
    save_file({"middle.bias": torch.ones(3)}, tmp_path / "w")
    assert take(net, tmp_path / "w", whole=False) == 1
    assert net.middle.bias.eq(1).all()
    assert net.table.weight.equal(before)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"middle_bias": None}, r"that are missing: 1, the first is `middle.bias`"),
        ({"other": torch.ones(1)}, r"does not have: 1, the first is `other`"),
        ({"table_weight": torch.ones(6, 3)}, r"`table.weight` is \(6, 3\), and \(5, 3\) in"),
    ],
)
def test_what_does_not_fit_leaves_all_as_it_was(tmp_path, changes, said):
    net = Net()
    before = {name: one.clone() for name, one in net.state_dict().items()}
    save_file(given(**changes), tmp_path / "w")
    with pytest.raises(UserError, match=rf"WS998.*{said}"):
        take(net, tmp_path / "w", whole=True)
    assert all(one.equal(before[name]) for name, one in net.state_dict().items())


def test_a_file_that_is_cut_or_of_another_kind_is_told(tmp_path):
    save_file(given(), tmp_path / "whole")
    (tmp_path / "cut").write_bytes((tmp_path / "whole").read_bytes()[:-4])
    torch.save(given(), tmp_path / "pickled")
    for name in ("cut", "pickled"):
        with pytest.raises(UserError, match=r"WS998: the weights are no file of safetensors"):
            take(Net(), tmp_path / name, whole=True)
