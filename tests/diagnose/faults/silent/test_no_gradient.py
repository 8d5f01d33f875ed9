"""Which parameters of an optimizer no gradient comes to, and what keeps it from them."""

import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from wellshaped.diagnose.faults.silent.no_gradient import NoGradient
from wellshaped.diagnose.faults.silent.no_gradient.detect import follow_training
from wellshaped.diagnose.faults.silent.nothing_trains import NothingTrains
from wellshaped.observe.trace.gradients import gradients_noted
from wellshaped.observe.trace.lineage import traced


def observed(program):
    torch.manual_seed(0)
    with (
        gradients_noted(entries=False) as gradients,
        traced({}, gradients=gradients) as trace,
        follow_training(trace),
    ):
        program()
    return [each.facts for each in trace.observations]


def stepped(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def two_parts():
    encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
    both = [*encoder.parameters(), *head.parameters()]
    return torch.randn(8, 3), encoder, head, torch.optim.SGD(both, lr=0.1)


def detached():
    x, encoder, head, optimizer = two_parts()
    stepped(optimizer, head(encoder(x).detach()).mean())


def detached_in_place():
    x, encoder, head, optimizer = two_parts()
    features = encoder(x).relu()
    features.detach_()
    stepped(optimizer, head(features).mean())


def rebuilt():
    x, encoder, head, optimizer = two_parts()
    stepped(optimizer, head(torch.tensor(encoder(x).tolist())).mean())


def rebuilt_from_a_tensor():
    x, encoder, head, optimizer = two_parts()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch would rather have it cloned
        features = torch.tensor(encoder(x))
    stepped(optimizer, head(features).mean())


def through_numpy():
    x, encoder, head, optimizer = two_parts()
    stepped(optimizer, head(torch.from_numpy(encoder(x).detach().numpy().copy())).mean())


def without_gradients():
    x, encoder, head, optimizer = two_parts()
    with torch.no_grad():
        features = encoder(x)
    stepped(optimizer, head(features).mean())


def generator_behind_detach():
    x, g, d = torch.randn(8, 3), nn.Linear(3, 3), nn.Linear(3, 1)
    of_g, of_d = (torch.optim.SGD(each.parameters(), lr=0.1) for each in (g, d))
    stepped(of_d, d(g(x).detach()).mean())
    stepped(of_g, -d(g(x).detach()).mean())


def closure_of_numbers():
    x, net = torch.randn(8, 3), nn.Linear(3, 1)
    optimizer = torch.optim.LBFGS(net.parameters())

    def closure():
        loss = torch.tensor(net(x).mean().item(), requires_grad=True)
        loss.backward()
        return loss

    optimizer.step(closure)


def sampled():
    x, net = torch.randn(8, 3), nn.Linear(3, 4)
    drawn = torch.multinomial(net(x).softmax(1), 1).float()
    stepped(torch.optim.SGD(net.parameters(), lr=0.1), drawn.mean().requires_grad_())


def refused():
    x, policy, judge = torch.randn(8, 3), nn.Linear(3, 4), nn.Embedding(4, 1)
    judge.requires_grad_(False)
    drawn = torch.multinomial(policy(x).softmax(1), 1)
    with pytest.raises(RuntimeError):
        stepped(torch.optim.SGD(policy.parameters(), lr=0.1), -judge(drawn).mean())


def policy_without_gradients():
    x, policy, critic = torch.randn(8, 3), nn.Linear(3, 4), nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*policy.parameters(), *critic.parameters()], lr=0.1)
    with torch.no_grad():
        logs = policy(x).log_softmax(1)
        drawn = torch.multinomial(logs.exp(), 1)
    wrong = (drawn > 1).float() - critic(x)
    stepped(optimizer, (wrong**2 - logs.gather(1, drawn) * wrong.detach()).mean())


CUT = {
    detached: [(NoGradient, "detach")],
    detached_in_place: [(NoGradient, "detach_")],
    rebuilt: [(NoGradient, "tolist")],
    rebuilt_from_a_tensor: [(NoGradient, "tensor")],
    through_numpy: [(NoGradient, "numpy")],
    without_gradients: [(NoGradient, "no_grad")],
    generator_behind_detach: [(NothingTrains, "detach")],
    closure_of_numbers: [(NothingTrains, "item")],
    sampled: [(NothingTrains, "values")],
    refused: [(NothingTrains, "values")],
    policy_without_gradients: [(NoGradient, "no_grad")],
}


@pytest.mark.parametrize("program", CUT, ids=lambda each: each.__name__)
def test_the_cut_is_named(program):
    assert [(type(each), each.cut) for each in observed(program)] == CUT[program]


def test_of_a_policy_it_is_told_that_samples_are_drawn_from_it():
    assert [each.drawn_from for each in observed(policy_without_gradients)] == [True]
    assert [each.drawn_from for each in observed(without_gradients)] == [False]


def trained_in_turns():
    x, encoder, head, optimizer = two_parts()
    for turn in range(2):
        features = encoder(x)
        stepped(optimizer, head(features if turn else features.detach()).mean())


def moving_average():
    x, teacher, student, optimizer = two_parts()
    stepped(optimizer, student(teacher(x).detach()).mean())
    for each in teacher.parameters():
        each.data.mul_(0.9)


def unused_head():
    x, encoder, head, optimizer = two_parts()
    shown = head(encoder(x)).mean().item()
    labels = torch.tensor([0.0, 1.0] * 4)
    stepped(optimizer, F.mse_loss(encoder(x).mean(1), labels) + shown)


def logged_head():
    x, encoder, head, optimizer = two_parts()
    head(encoder(x)).mean().item()
    stepped(optimizer, encoder(x).mean() * torch.tensor(0.5))


def gradient_by_hand():
    x, net = torch.randn(8, 3), nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(x).mean()
    for each, found in zip(
        net.parameters(), torch.autograd.grad(loss, [*net.parameters()]), strict=True
    ):
        each.grad = found
    optimizer.step()


def closure():
    x, net = torch.randn(8, 3), nn.Linear(3, 1)
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=2)

    def step():
        optimizer.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        return loss

    optimizer.step(step)


QUIET = [trained_in_turns, moving_average, unused_head, logged_head, gradient_by_hand, closure]


@pytest.mark.parametrize("program", QUIET, ids=lambda each: each.__name__)
def test_what_learns_or_is_changed_otherwise_is_not_spoken_of(program):
    assert observed(program) == []


def test_a_parameter_is_named_by_the_module_that_holds_it():
    found = observed(detached)[0]
    assert (found.module, found.starved, found.total) == ("encoder", 2, 4)
