"""Tiny models gain nothing from a second thread, and lose much to whoever else runs."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""
