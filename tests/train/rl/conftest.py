"""One thread: models this small only wait for the second."""

import pytest

from tests.train.rl.runs import taught
from wellshaped.train.rl import policy


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


@pytest.fixture
def packed_always(monkeypatch):
    """Texts are read one after another even where models are too small to gain by it."""
    monkeypatch.setattr(policy, "PRICE_OF_A_TEXT", 0)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A policy that was taught by demonstrations."""
    folder = tmp_path_factory.mktemp("policy") / "sft"
    taught(folder)
    return folder
