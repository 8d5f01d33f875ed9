"""A model is tried with other neighbours and less padding; nothing of it shows in the program."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, TensorDataset

from wellshaped.diagnose.faults.detect import detectors
from wellshaped.diagnose.faults.silent.batch_dependent import BatchDependent
from wellshaped.diagnose.faults.silent.padding_read import PaddingRead
from wellshaped.execute.loaders import steered_loaders
from wellshaped.observe.trace.detect import detect_hazards

# B = 6 rows, T = 4 steps, C = 3 features.


class Model(nn.Module):
    """Does what it is told, with a parameter."""

    def __init__(self, act):
        super().__init__()
        self.act, self.scale = act, nn.Linear(3, 3)

    def forward(self, x_BTC):
        return self.act(self.scale(x_BTC))


def found(act, *, shape=(4, 3)):
    """What is found of a model that is given the batches of a loader."""
    torch.manual_seed(0)
    model = Model(act)
    with (
        steered_loaders(None, whole=True) as loaders,
        detect_hazards(detectors(), loaders) as trace,
    ):
        for (x_BTC,) in DataLoader(TensorDataset(torch.randn(12, *shape)), batch_size=6):
            model(x_BTC).sum()
    return [
        each.facts.found for each in trace.observations if isinstance(each.facts, BatchDependent)
    ]


def test_rows_cut_apart_are_found():
    assert found(lambda x: x.reshape(8, 9).mean(0).expand(6, 9)) == ["reshaped"]


MIXED_BY_DESIGN = {
    "the mean of the batch": lambda x: x - x.mean(0),
    "a table of all pairs": lambda x: x.flatten(1) @ x.flatten(1).T,
    "products of rows": lambda x: (x.flatten(1) @ x.flatten(1).T).softmax(1) @ x.flatten(1),
    "groups of rows": lambda x: x - x.reshape(2, 3, 4, 3).mean(0).repeat(2, 1, 1),
    "one number": lambda x: x.reshape(8, 9).std(0).sum(),
    "at random": lambda x: x + torch.rand_like(x).reshape(6, 4, 3),
    "merged and cut": lambda x: x.reshape(24, 3).relu().reshape(6, 12),
    "moved and merged": lambda x: x.transpose(0, 1).reshape(24, 3).reshape(4, 6, 3).sum(0),
}


@pytest.mark.parametrize("name", MIXED_BY_DESIGN)
def test_what_mixes_rows_by_design_is_not_spoken_of(name):
    assert found(MIXED_BY_DESIGN[name]) == []


def test_rows_made_by_hand_count_where_a_loss_pairs_them():
    torch.manual_seed(0)
    model = Model(lambda x: x.reshape(8, 9).mean(0).expand(6, 9)[:, 0])
    for paired in (True, False):
        with detect_hazards(detectors()) as trace:
            out_B = model(torch.randn(6, 4, 3))
            out_B.sum()
            if paired:
                F.mse_loss(out_B, torch.randn(6))
        assert bool(trace.observations) is paired


@pytest.mark.parametrize("by_row", [True, False])
def test_targets_made_row_by_row_tell_which_axis_counts_the_rows(by_row):
    torch.manual_seed(0)
    model = Model(lambda x: x.reshape(8, 9).mean(0).expand(6, 9)[:, :4])
    with detect_hazards(detectors()) as trace:
        x_BTC = torch.randn(6, 4, 3)
        wanted_BT = x_BTC.mean((1, 2))[:, None].expand(6, 4) if by_row else torch.randn(6, 4)
        F.mse_loss(model(x_BTC), wanted_BT)
    assert [each.facts.found for each in trace.observations] == ["reshaped"] * by_row


def test_the_program_does_not_notice(capsys):
    class Counting(Model):
        calls = 0

        def forward(self, x):
            self.calls += 1
            print("called")
            return F.dropout(self.scale(x), training=self.training)

    def run(model):
        torch.manual_seed(0)
        return model(torch.randn(6, 4, 3)), torch.rand(2)

    torch.manual_seed(1)
    model = Counting(None)
    plain = run(model)
    with detect_hazards(detectors()):
        probed = run(model)
    assert model.calls == 2
    assert model.training
    assert capsys.readouterr().out == "called\n" * 2
    assert all(torch.equal(one, other) for one, other in zip(plain, probed, strict=True))
    assert probed[0].requires_grad
    assert not torch.nn.modules.module._has_any_global_hook()


def test_another_finding_in_the_same_code_is_enough():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(3, 8, bidirectional=True, batch_first=True)

        def forward(self, x_BTC):
            out_BTC = self.gru(x_BTC)[0]
            return out_BTC[:, -1]

    with detect_hazards(detectors()) as trace:
        Net()(pad_sequence([torch.randn(n, 3) for n in (2, 5, 4)], batch_first=True)).sum()
    assert [type(each.facts) for each in trace.observations] == [PaddingRead]


@pytest.mark.parametrize("part", [0, 1])
def test_a_result_that_nothing_uses_does_not_count(part):
    gru = nn.GRU(3, 8, batch_first=True)
    with detect_hazards(detectors()) as trace:
        given = pad_sequence([torch.randn(n, 3) for n in (2, 5, 4)], batch_first=True)
        gru(given)[part].sum()
    assert [each.facts.found for each in trace.observations] == ["padded_state"] * part
