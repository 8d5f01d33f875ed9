"""Accuracy, calibration and the pull of length, against numbers worked out by hand."""

import math

import pytest
import torch

from tests.floats import near
from wellshaped.train.reward.measures import (
    accuracy,
    calibration_error,
    length_bias,
    length_correlation,
)


def test_accuracy_counts_a_tie_as_half_a_hit():
    assert accuracy(torch.tensor([1.0, 0.5, -2.0, 0.0])) == near(2.5 / 4)
    assert accuracy(torch.zeros(3)) == 0.5


def test_calibration_is_perfect_where_certainty_is_the_share_of_right_verdicts():
    lead = math.log(3)  # a certainty of 3/4, and three of four are right
    assert calibration_error(torch.tensor([lead, lead, lead, -lead])) == pytest.approx(0, abs=1e-6)


def test_calibration_tells_how_far_off_the_certainty_is():
    sure = torch.tensor([30.0, 30.0, -30.0, -30.0])  # certain, and right half of the time
    assert calibration_error(sure) == near(0.5)
    # One bin with certainty 3/4 and all right, one with certainty 1 and all wrong.
    lead = math.log(3)
    assert calibration_error(torch.tensor([lead, -30.0])) == near((0.25 + 1) / 2)


def test_pitfall_25_rewards_that_follow_length_are_seen():
    longer = torch.tensor([3.0, -5.0, 2.0, -1.0])
    assert length_bias(longer.clone(), longer) == 0.5
    assert length_correlation(2 * longer, longer) == near(1)
    shorter = -longer
    assert length_bias(shorter, longer) == -0.5
    assert length_correlation(shorter, longer) == near(-1)


def test_a_model_that_is_right_has_no_bias_whatever_the_labels_favour():
    margins = torch.tensor([1.0, 1.0, 1.0])
    assert length_bias(margins, torch.tensor([4.0, 4.0, -1.0])) == 0.0


def test_pairs_of_one_length_say_nothing_of_length():
    margins = torch.tensor([1.0, -1.0])
    assert length_bias(margins, torch.zeros(2)) == 0.0
    assert length_correlation(margins, torch.zeros(2)) == 0.0
    assert length_bias(torch.tensor([1.0, -1.0]), torch.tensor([2.0, 0.0])) == 0.0
