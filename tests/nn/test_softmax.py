"""Masked softmax: shares of the real positions, nothing else, and no NaN anywhere."""

import pytest
import torch

from wellshaped.nn import masked_log_softmax, masked_softmax
from wellshaped.records.phrase import UserError

MASK = torch.tensor([[True, True, False], [False, False, True], [False, False, False]])


def scores_of(junk=float("nan")):
    torch.manual_seed(0)
    return torch.randn(3, 3).masked_fill(~MASK, junk)


@pytest.mark.parametrize("junk", [float("nan"), float("inf"), float("-inf"), 1e38])
def test_shares_are_those_of_the_real_positions(junk):
    scores = scores_of(junk)
    shares, logs = masked_softmax(scores, MASK), masked_log_softmax(scores, MASK)
    for number, keep in enumerate(MASK):
        torch.testing.assert_close(shares[number, keep], scores[number, keep].softmax(0))
        torch.testing.assert_close(logs[number, keep], scores[number, keep].log_softmax(0))
    assert (shares[~MASK] == 0).all()
    assert (logs[~MASK] == float("-inf")).all()


def test_very_low_scores_still_share_everything():
    lowest = torch.finfo(torch.float32).min
    shares = masked_softmax(torch.full((1, 3), lowest), MASK[:1])
    assert shares.tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("function", [masked_softmax, masked_log_softmax])
def test_gradients_at_masked_positions_are_exactly_zero(function):
    scores = scores_of().requires_grad_()
    with torch.autograd.set_detect_anomaly(True):
        function(scores, MASK)[MASK].square().sum().backward()
    assert (scores.grad[~MASK] == 0).all()
    assert torch.isfinite(scores.grad).all()
    assert scores.grad[0].abs().sum() > 0


def test_any_axis_and_masks_of_size_one():
    torch.manual_seed(0)
    scores = torch.randn(2, 4, 3, 3)
    mask = MASK.reshape(1, 1, 3, 3)
    torch.testing.assert_close(
        masked_softmax(scores, mask, dim=2),
        masked_softmax(scores.transpose(2, 3), mask.transpose(2, 3)).transpose(2, 3),
    )
    assert masked_softmax(scores[:0], mask).shape == (0, 4, 3, 3)


@pytest.mark.parametrize("mask", [MASK[0], MASK[:, :2], MASK.float(), MASK.long()])
def test_a_mask_that_would_broadcast_by_chance_is_refused(mask):
    with pytest.raises(UserError, match=r"^WS922: the mask is \("):
        masked_softmax(torch.zeros(3, 3), mask)
