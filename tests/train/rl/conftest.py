"""One thread: models this small only wait for the second."""

import pytest
import torch

from wellshaped.train.rl import policy


@pytest.fixture(autouse=True, scope="package")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def packed_always(monkeypatch):
    """Texts are read one after another even where models are too small to gain by it."""
    monkeypatch.setattr(policy, "PRICE_OF_A_TEXT", 0)
