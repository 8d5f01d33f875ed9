"""How processes join: what accelerate was told to do and cannot be done is told."""

import importlib.util

import pytest

from wellshaped.records.phrase import UserError
from wellshaped.train.distributed.processes import join


def test_the_first_version_of_fsdp_is_told(monkeypatch):
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    with pytest.raises(UserError, match=r"WS988.*fsdp_version: 2"):
        join()


def test_deepspeed_that_is_not_installed_is_told(monkeypatch):
    monkeypatch.setenv("ACCELERATE_USE_DEEPSPEED", "true")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"WS988.*wellshaped\[deepspeed\]"):
        join()
