"""Tiny models gain nothing from a second thread, and lose much to whoever else runs."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread():
    """One thread for torch, and as many as before for whoever comes next."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
