"""Which parameters a gradient reaches, as a program trains."""

import torch
from torch import nn

from wellshaped.observe.trace.gradients import gradients_noted


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.cut = nn.Linear(3, 1), nn.Linear(3, 1)
        self.spare = nn.Linear(3, 1)

    def forward(self, x):
        return self.used(x) + self.cut(x).detach()


def trained(loss_of, *, entries=True):
    with gradients_noted(entries=entries) as noted:
        model = Two()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            loss_of(model(torch.ones(2, 3))).backward()
            optimizer.step()
        return noted.reach()


def test_reached_idle_and_never_used():
    reach = trained(lambda out: out.sum())
    assert reach.ran
    assert reach.finite
    assert reach.known == 6
    assert reach.reached == {"Linear.weight 1", "Linear.bias 1"}
    assert reach.idle == {"Linear.weight 2", "Linear.bias 2"}  # the third never ran


def test_a_loss_that_is_no_number_is_noted():
    assert not trained(lambda out: (out * float("nan")).sum()).finite


def test_nothing_is_left_in_torch():
    plain, hooks = torch.autograd.backward, dict(nn.modules.module._global_forward_pre_hooks)
    trained(lambda out: out.sum())
    assert torch.autograd.backward is plain
    assert dict(nn.modules.module._global_forward_pre_hooks) == hooks


def test_a_program_without_a_backward_pass():
    with gradients_noted(entries=True) as noted:
        Two()(torch.ones(1, 3))
    reach = noted.reach()
    assert (reach.ran, reach.reached, reach.idle) == (False, frozenset(), frozenset())


def test_a_frozen_parameter_is_not_idle():
    with gradients_noted(entries=True) as noted:
        model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
        model[0].requires_grad_(False)
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.ones(2, 2)).sum().backward()
        optimizer.step()
    assert noted.reach().idle == frozenset()
