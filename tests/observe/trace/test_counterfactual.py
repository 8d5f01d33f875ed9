"""What comes of a value is followed beside the program, and told where a loss would be another."""

import pytest
import torch
import torch.nn.functional as F

from wellshaped.observe.trace.lineage import traced

# What a program makes of `x`, a vector of 4, and whether it depends on its last element.
WAYS = {
    "arithmetic": (lambda x: (x * 2 + 1).exp().sum(), True),
    "the other elements": (lambda x: x[:-1].sum(), False),
    "times nothing": (lambda x: (x * 0).sum(), False),
    "into a table": (lambda x: _filled(torch.zeros(4), x), True),
    "in place": (lambda x: torch.ones(4).add_(x).sum(), True),
    "through dropout": (lambda x: F.dropout(x, 0.1, training=True).square().sum(), True),
    "drawn from": (lambda x: torch.multinomial(x.exp(), 4).float().sum(), False),
    "kept as a number": (lambda x: torch.tensor(x.sum().item()), False),
}


def _filled(table, x):
    for place in range(4):
        table[place] = x[place]
    return table.sum()


@pytest.mark.parametrize("way", WAYS)
def test_a_value_is_followed_to_the_loss(way):
    act, matters = WAYS[way]
    weight, told = torch.ones((), requires_grad=True), []
    torch.manual_seed(1)
    with traced({}) as trace:
        x = torch.arange(4.0)
        changed = trace.counterfactuals.begin("here", lambda *losses: told.append(losses))
        changed.keep(x, torch.tensor([0.0, 1.0, 2.0, 9.0]))
        (weight * act(x)).backward()
    assert bool(told) == matters


def test_what_is_drawn_stays_the_same():
    def drawn(*, changed):
        torch.manual_seed(0)
        with traced({}) as trace:
            x = torch.ones(50)
            if changed:
                trace.counterfactuals.begin("here", print).keep(x, 2 * x)
            return F.dropout(x, 0.5, training=True), torch.rand(3)

    for one, other in zip(drawn(changed=True), drawn(changed=False), strict=True):
        assert torch.equal(one, other)


def test_both_losses_are_told():
    told = []
    with traced({}) as trace:
        x, weight = torch.zeros(2), torch.ones(2, requires_grad=True)
        trace.counterfactuals.begin("here", lambda *losses: told.append(losses)).keep(
            x, torch.ones(2)
        )
        ((x + weight) ** 2).sum().backward()
    assert told == [(2.0, 8.0)]


@pytest.mark.parametrize(
    ("dtype", "other"), [(torch.float32, 1 + 1e-6), (torch.bfloat16, 1.01), (torch.float64, 1.0)]
)
def test_another_last_digit_is_the_same_loss(dtype, other):
    told = []
    with traced({}) as trace:
        x, weight = torch.ones(2, dtype=dtype), torch.ones(2, dtype=dtype, requires_grad=True)
        changed = trace.counterfactuals.begin("here", lambda *losses: told.append(losses))
        changed.keep(x, x * other)
        (x * weight).sum().backward()
    assert not told


def test_a_place_is_followed_twice_at_most():
    with traced({}) as trace:
        for _ in range(2):
            assert trace.counterfactuals.begin("here", print)
            trace.counterfactuals.open.clear()
        assert trace.counterfactuals.begin("here", print) is None
        assert trace.counterfactuals.begin("there", print) is not None


def test_a_norm_counts_a_batch_once():
    norm = torch.nn.BatchNorm1d(2)
    with traced({}) as trace:
        x = torch.randn(5, 2)
        trace.counterfactuals.begin("here", print).keep(x, 2 * x)
        y = norm(x)
        assert trace.counterfactuals.open[0].touches([y])
    assert torch.allclose(norm.running_mean, 0.1 * x.mean(0))
