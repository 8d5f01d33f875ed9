"""Every formula equals the slow one, element by element, on ragged rows with junk behind them."""

import math

import pytest
import torch
from torch.autograd import gradcheck

from tests.floats import near
from tests.train.rl import slow
from tests.train.rl.ragged import LENGTHS, mask_of, padded, rows_of, unpadded
from wellshaped.train.algorithms.ppo import (
    clipped_policy_loss,
    clipped_value_loss,
    generalized_advantages,
)
from wellshaped.train.algorithms.reinforce import leave_one_out, reinforce_loss
from wellshaped.train.rl.kl import KlCoefficient, k1, k3
from wellshaped.train.rl.logprobs import entropies, next_token_logprobs, token_logprobs
from wellshaped.train.rl.masked import masked_mean, row_sums, whiten
from wellshaped.train.rl.token_rewards import (
    score_slots,
    shaped_scores,
    token_rewards,
    value_mask,
)

ROWS = rows_of(1)
MASK = mask_of(ROWS)


def compare(found, expected):
    """Rows of numbers, one by one."""
    flat = [value for row in expected for value in row]
    assert [value for row in found for value in row] == near(flat)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_logits_score_the_token_after_them(temperature):
    generator = torch.Generator().manual_seed(0)
    logits_BTV = torch.randn(3, 6, 5, generator=generator)
    tokens_BT = torch.randint(5, (3, 6), generator=generator)
    found_BT = next_token_logprobs(logits_BTV, tokens_BT, temperature=temperature)
    expected = [
        [
            slow.softmax_log(logits_BTV[row, t - 1].tolist(), temperature)[tokens_BT[row, t]]
            for t in range(1, 6)
        ]
        for row in range(3)
    ]
    compare(found_BT.tolist(), expected)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_entropy_of_each_distribution(temperature):
    logits_RV = torch.randn(4, 9, generator=torch.Generator().manual_seed(2))
    expected = [slow.entropy(row, temperature) for row in logits_RV.tolist()]
    compare([entropies(logits_RV, temperature=temperature).tolist()], [expected])


def test_words_that_cannot_come_have_no_part_in_the_entropy():
    logits_V = torch.tensor([0.0, 0.0, -math.inf])
    assert entropies(logits_V).item() == near(math.log(2))


def test_masked_mean_counts_real_elements():
    flat = [value for row in ROWS for value in row]
    assert masked_mean(padded(ROWS), MASK).item() == near(sum(flat) / len(flat))
    compare([row_sums(padded(ROWS), MASK).tolist()], [[sum(row) for row in ROWS]])


@pytest.mark.parametrize("shift_mean", [True, False])
def test_whitening_sees_real_elements_only(shift_mean):
    white_BR = whiten(padded(ROWS), MASK, shift_mean=shift_mean)
    compare(unpadded(white_BR, ROWS), slow.whitened(ROWS, shift_mean))
    assert white_BR[~MASK].abs().sum() == 0


def test_whitening_of_one_element_is_a_number():
    assert whiten(torch.tensor([[5.0, 9.0]]), torch.tensor([[True, False]])).tolist() == [[0, 0]]


def test_estimators_of_the_kl():
    new, old = rows_of(2, 0.3), rows_of(3, 0.3)
    compare(k1(padded(new), padded(old)).nan_to_num().tolist(), padded_differences(new, old))
    found_BR = k3(padded(new), padded(old))
    expected = [
        [math.exp(b - a) - (b - a) - 1 for a, b in zip(one, two, strict=True)]
        for one, two in zip(new, old, strict=True)
    ]
    compare(unpadded(found_BR, new), expected)
    assert (found_BR[MASK] >= 0).all()
    assert k3(padded(new), padded(new))[MASK].abs().sum() == 0


def padded_differences(new, old):
    width = max(LENGTHS)
    rows = [
        [a - b for a, b in zip(one, two, strict=True)] for one, two in zip(new, old, strict=True)
    ]
    return [row + [0.0] * (width - len(row)) for row in rows]


def test_estimators_come_to_the_true_kl():
    generator = torch.Generator().manual_seed(0)
    policy_V, reference_V = torch.randn(2, 6, generator=generator).log_softmax(-1)
    true = (policy_V.exp() * (policy_V - reference_V)).sum().item()
    drawn_N = torch.multinomial(policy_V.exp(), 200_000, replacement=True, generator=generator)
    pair = policy_V[drawn_N], reference_V[drawn_N]
    assert k1(*pair).mean().item() == pytest.approx(true, rel=0.02)
    assert k3(*pair).mean().item() == pytest.approx(true, rel=0.02)


def test_a_fixed_coefficient_stays_and_an_adaptive_one_follows_its_target():
    fixed, steered = KlCoefficient(0.1), KlCoefficient(0.1, target=6.0, horizon=1000)
    fixed.update(60.0, responses=100)
    assert fixed.value == 0.1
    steered.update(60.0, responses=100)
    assert steered.value == near(0.1 * 1.02)
    steered.update(5.4, responses=100)
    assert steered.value == near(0.1 * 1.02 * 0.99)


def test_the_score_stands_at_the_last_real_token():
    scores = [float(number) for number in range(1, 7)]
    found_BR = token_rewards(torch.tensor(scores), padded(ROWS), MASK, coefficient=0.1)
    compare(unpadded(found_BR, ROWS), slow.rewards(scores, ROWS, 0.1))
    assert found_BR[~MASK].abs().sum() == 0


def test_the_other_convention_puts_it_one_slot_after():
    assert score_slots(MASK, "after").tolist() == [3, 1, 6, 4, 6, 2]
    zero_BR = torch.zeros_like(padded(ROWS))
    found_BR = token_rewards(torch.ones(6), zero_BR, MASK, coefficient=0.1, slot="after")
    assert found_BR.argmax(1).tolist() == [3, 1, 6, 4, 6, 2]
    assert value_mask(MASK, "after").sum(1).tolist() == [4, 2, 7, 5, 7, 3]
    assert value_mask(MASK).equal(MASK)


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.5), (0.99, 1.0), (1.0, 0.0)])
def test_advantages_are_the_double_sum(gamma, lam):
    values = rows_of(4)
    found_BR, returns_BR = generalized_advantages(
        padded(ROWS), padded(values), MASK, gamma=gamma, lam=lam
    )
    expected = [slow.advantages(r, v, gamma, lam) for r, v in zip(ROWS, values, strict=True)]
    compare(unpadded(found_BR, ROWS), expected)
    compare(unpadded(returns_BR - found_BR, ROWS), values)
    assert found_BR[~MASK].abs().sum() == 0


def test_lambda_one_is_the_reward_to_go_and_lambda_zero_the_next_step():
    values = rows_of(5)
    whole_BR, _ = generalized_advantages(padded(ROWS), padded(values), MASK, gamma=1.0, lam=1.0)
    compare(
        unpadded(whole_BR, ROWS),
        [[sum(r[t:]) - v[t] for t in range(len(r))] for r, v in zip(ROWS, values, strict=True)],
    )
    step_BR, _ = generalized_advantages(padded(ROWS), padded(values), MASK, gamma=0.9, lam=0.0)
    compare(
        unpadded(step_BR, ROWS),
        [
            [a + 0.9 * c - b for a, b, c in zip(r, v, [*v[1:], 0.0], strict=True)]
            for r, v in zip(ROWS, values, strict=True)
        ],
    )


def test_width_of_the_padding_changes_no_advantage():
    values = rows_of(6)
    narrow_BR, _ = generalized_advantages(padded(ROWS), padded(values), MASK)
    wide_BR, _ = generalized_advantages(
        padded(ROWS, width=20), padded(values, width=20), mask_of(ROWS, 20)
    )
    assert wide_BR[:, :7].equal(narrow_BR)


def test_leave_one_out():
    rewards, groups = [1.0, 2.0, 4.0, 8.0, 16.0], [0, 1, 0, 1, 2]
    found_B = leave_one_out(torch.tensor(rewards), torch.tensor(groups))
    assert found_B.tolist() == near(slow.left_out(rewards, groups))


def test_scores_are_clipped_and_an_end_that_is_missing_costs():
    scores_B, ended_B = torch.tensor([9.0, -9.0, 1.0]), torch.tensor([True, True, False])
    found_B = shaped_scores(scores_B, ended_B, clip=5.0, missing_end_penalty=1.0)
    assert found_B.tolist() == [5.0, -5.0, 0.0]
    assert shaped_scores(scores_B, ended_B).equal(scores_B)


def test_clipped_objective():
    new, old, weights = rows_of(7, 0.5), rows_of(8, 0.5), rows_of(9)
    found = clipped_policy_loss(padded(new), padded(old), padded(weights), MASK, clip=0.2)
    loss, clipped = slow.policy_loss(new, old, weights, 0.2)
    assert found.loss.item() == near(loss)
    assert found.clipped.item() == clipped > 0
    ratios = [
        math.exp(a - b)
        for one, two in zip(new, old, strict=True)
        for a, b in zip(one, two, strict=True)
    ]
    assert found.ratio.item() == near(sum(ratios))
    assert found.kl.item() == near(sum(math.log(ratio) ** 2 / 2 for ratio in ratios))


def test_clipped_value_loss():
    new, old, goals = rows_of(10), rows_of(11), rows_of(12)
    found, worse = clipped_value_loss(padded(new), padded(old), padded(goals), MASK, clip=0.2)
    loss, clipped = slow.value_loss(new, old, goals, 0.2)
    assert found.item() == near(loss)
    assert worse.item() == clipped > 0
    plain, _ = clipped_value_loss(padded(new), padded(old), padded(goals), MASK, clip=None)
    assert plain.item() == near(slow.value_loss(new, old, goals, 1e9)[0])


def test_reinforce_weighs_whole_responses():
    weights = [1.0, -1.0, 0.5, 2.0, 0.0, 3.0]
    found = reinforce_loss(padded(ROWS), torch.tensor(weights), MASK)
    expected = -sum(weight * sum(row) for weight, row in zip(weights, ROWS, strict=True))
    assert found.item() == near(expected)


LOSSES = {
    "policy": lambda x_BR, a_BR, b_BR: clipped_policy_loss(x_BR, a_BR, b_BR, MASK, clip=0.2).loss,
    "value": lambda x_BR, a_BR, b_BR: clipped_value_loss(x_BR, a_BR, b_BR, MASK, clip=0.2)[0],
    "reinforce": lambda x_BR, a_BR, _: reinforce_loss(x_BR, a_BR[:, 0], MASK),
    "logprobs": lambda x_BR, *_: token_logprobs(x_BR, torch.arange(6), temperature=0.7).sum(),
    "entropy": lambda x_BR, *_: entropies(x_BR, temperature=0.7).sum(),
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_are_the_finite_differences(name, monkeypatch):
    monkeypatch.setattr(torch.Tensor, "float", lambda tensor: tensor)  # steps of 1e-6 need doubles
    x_BR = padded(rows_of(13, 0.5), behind=0.0).requires_grad_()
    a_BR, b_BR = padded(rows_of(14, 0.5), behind=0.0), padded(rows_of(15), behind=0.0)
    assert gradcheck(lambda given: LOSSES[name](given, a_BR, b_BR), (x_BR,))


@pytest.mark.parametrize("name", ["policy", "value", "reinforce"])
def test_gradients_behind_the_end_are_exactly_zero(name):
    x_BR = padded(ROWS, behind=3.0).requires_grad_()
    LOSSES[name](x_BR, padded(rows_of(14), behind=7.0), padded(rows_of(15), behind=9.0)).backward()
    assert x_BR.grad is not None
    assert x_BR.grad[~MASK].abs().sum() == 0
    assert x_BR.grad[MASK].abs().sum() > 0
