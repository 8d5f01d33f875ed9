"""Every generator goes on where it was."""

import random

import numpy
import torch

from wellshaped.train.randomness import random_state, restore_random_state, seed_all


def drawn() -> tuple[float, ...]:
    # An odd number of gauss draws: generators keep the second of a pair for the next call.
    return (random.gauss(0, 1), numpy.random.randn(), torch.randn(1).item(), random.random())


def test_what_follows_is_the_same_again(tmp_path) -> None:
    seed_all(4)
    drawn()
    torch.save(random_state(), tmp_path / "state")
    first = drawn()
    drawn()
    restore_random_state(torch.load(tmp_path / "state", weights_only=True))
    assert drawn() == first


def test_a_seed_begins_all_of_them_anew() -> None:
    seed_all(4)
    first = drawn()
    seed_all(4)
    assert drawn() == first
    seed_all(5)
    assert not set(drawn()) & set(first)
