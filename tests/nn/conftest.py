"""Tiny tensors: a second thread would only wait for the first."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Tiny tensors: a second thread would only wait for the first."""
