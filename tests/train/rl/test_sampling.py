"""Tokens are drawn from the distribution that was asked for, with noise of their own row."""

import pytest
import torch

from wellshaped.train.rl.generation.sampling import cut, draw, noise
from wellshaped.train.rollout_algorithm import Sampling

LOGITS_V = torch.tensor([0.5, -1.0, 2.0, -torch.inf, 0.0])


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_draws_follow_the_softmax(temperature):
    noise_B = noise(0, 0, [0], 40_000)[0]
    logits_BV = LOGITS_V.expand(40_000, -1)
    drawn_B = draw(logits_BV, noise_B, Sampling(temperature=temperature))
    shares_V = torch.bincount(drawn_B, minlength=5) / 40_000
    assert (shares_V - (LOGITS_V / temperature).softmax(-1)).abs().max() < 0.01
    assert shares_V[3] == 0


def test_the_ends_of_the_noise_draw_words_that_can_come():
    logits_BV = torch.tensor([[-torch.inf, 0.0, 0.0, -torch.inf]]).expand(2, -1)
    noise_B = torch.tensor([0.0, 1 - 2**-53], dtype=torch.float64)
    assert draw(logits_BV, noise_B, Sampling()).tolist() == [1, 2]


def test_top_k_and_top_p_leave_the_likeliest():
    logits_BV = torch.tensor([[0.1, 0.5, 0.15, 0.25]]).log()
    assert cut(logits_BV, Sampling(top_k=2)).isfinite().tolist() == [[False, True, False, True]]
    assert cut(logits_BV, Sampling(top_p=0.6)).isfinite().tolist() == [[False, True, False, True]]
    assert cut(logits_BV, Sampling(top_p=0.01)).isfinite().tolist() == [[False, True, False, False]]
    assert cut(logits_BV, Sampling()).equal(logits_BV)
    assert not Sampling(top_k=2).exact
    assert Sampling(temperature=0.7).exact


def test_noise_belongs_to_its_row():
    both_BR = noise(1, 2, [5, 9], 4)
    assert both_BR[1].equal(noise(1, 2, [9], 4)[0])
    assert not both_BR[1].equal(both_BR[0])
    assert not both_BR[1].equal(noise(1, 3, [9], 4)[0])
    assert not both_BR[1].equal(noise(2, 2, [9], 4)[0])
