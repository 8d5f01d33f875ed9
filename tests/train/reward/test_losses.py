"""The losses of preferences against their formulas, and against parts of themselves."""

import math

import pytest
import torch

from tests.floats import near
from wellshaped import guard
from wellshaped.records.phrase import UserError
from wellshaped.train.algorithms.reward import PreferenceLoss, preference_loss
from wellshaped.train.reward.comparison_batches import pair_rewards

CHOSEN = torch.tensor([1.5, -0.2, 0.0, 3.0])
REJECTED = torch.tensor([0.5, 0.7, 0.0, 3.5])
MARGIN = torch.tensor([0.0, 1.0, 0.5, 2.0])
WEIGHT = torch.tensor([1.0, 2.0, 0.5, 0.0])


def test_bradley_terry_is_the_log_likelihood_of_the_choice():
    loss = preference_loss(CHOSEN, REJECTED)
    lead = (CHOSEN - REJECTED).double()
    torch.testing.assert_close(loss.mean.double(), torch.log1p(torch.exp(-lead)).mean())
    assert loss.weight == 4


def test_margins_are_leads_the_choice_must_have():
    by_column = preference_loss(CHOSEN, REJECTED, margin_P=MARGIN).total
    torch.testing.assert_close(by_column, preference_loss(CHOSEN - MARGIN, REJECTED).total)
    by_option = preference_loss(CHOSEN, REJECTED, PreferenceLoss(margin=0.3), margin_P=MARGIN).total
    torch.testing.assert_close(by_option, preference_loss(CHOSEN - MARGIN - 0.3, REJECTED).total)


def test_margin_ranking_is_what_is_missing_from_the_lead():
    wanted = PreferenceLoss("margin_ranking", margin=0.5)
    loss = preference_loss(CHOSEN, REJECTED, wanted, margin_P=MARGIN)
    missing = (MARGIN + 0.5 - (CHOSEN - REJECTED)).clamp(min=0)
    torch.testing.assert_close(loss.total, missing.sum())


@pytest.mark.parametrize("kind", ["bradley_terry", "margin_ranking"])
def test_smoothing_takes_a_share_of_the_labels_as_swapped(kind):
    smooth = preference_loss(CHOSEN, REJECTED, PreferenceLoss(kind, smoothing=0.2)).total
    kept = preference_loss(CHOSEN, REJECTED, PreferenceLoss(kind)).total
    swapped = preference_loss(REJECTED, CHOSEN, PreferenceLoss(kind)).total
    torch.testing.assert_close(smooth, 0.8 * kept + 0.2 * swapped)


def test_centring_charges_the_square_of_the_sum():
    centred = preference_loss(CHOSEN, REJECTED, PreferenceLoss(centring=0.1)).total
    plain = preference_loss(CHOSEN, REJECTED).total
    torch.testing.assert_close(centred, plain + 0.1 * ((CHOSEN + REJECTED) ** 2).sum())


def test_a_pair_of_weight_two_counts_as_two():
    weighted = preference_loss(CHOSEN, REJECTED, weight_P=torch.tensor([1.0, 2.0, 1.0, 0.0]))
    rows = [0, 1, 1, 2]
    torch.testing.assert_close(weighted.mean, preference_loss(CHOSEN[rows], REJECTED[rows]).mean)


def test_each_rejected_answer_is_a_pair():
    chosen, rejected = pair_rewards(torch.tensor([5.0, 1, 2, 7, 3]), [3, 2])
    assert chosen.tolist() == [5, 5, 7]
    assert rejected.tolist() == [1, 2, 3]


@pytest.mark.parametrize("kind", ["bradley_terry", "margin_ranking"])
def test_a_guard_around_the_losses_has_nothing_to_say(kind):
    with guard(on_hazard="record") as seen:
        preference_loss(CHOSEN, REJECTED, PreferenceLoss(kind, smoothing=0.1, centring=0.1))
    assert not seen.calls


def test_a_loss_without_a_name_is_refused():
    with pytest.raises(UserError, match="WS988"):
        PreferenceLoss("hinge")


@pytest.mark.parametrize("argument", ["rejected_P", "margin_P", "weight_P"])
def test_pitfall_19_a_column_against_a_vector_is_refused(argument):
    given = {"rejected_P": REJECTED, argument: torch.ones(4, 1)}
    with pytest.raises(UserError, match=r"WS924.*\(4, 1\)"):
        preference_loss(CHOSEN, **given)


def test_pitfall_20_a_lead_of_a_hundred_is_finite_both_ways():
    for lead in (100.0, -100.0, 1e4):
        chosen = torch.tensor([lead], requires_grad=True)
        loss = preference_loss(chosen, torch.zeros(1)).mean
        loss.backward()
        assert loss.item() == near(max(0.0, -lead))
        assert math.isfinite(chosen.grad.item())


def test_pitfall_22_parts_of_a_batch_add_up_to_the_batch():
    wanted = PreferenceLoss(centring=0.1)
    whole = preference_loss(CHOSEN, REJECTED, wanted, weight_P=WEIGHT).mean
    parts = [
        preference_loss(CHOSEN[rows], REJECTED[rows], wanted, weight_P=WEIGHT[rows])
        for rows in ([0], [1, 2, 3])
    ]
    added = sum(part.total for part in parts) / sum(part.weight for part in parts)
    torch.testing.assert_close(added, whole)
