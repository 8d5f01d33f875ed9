"""How processes join: what accelerate was told to do and cannot be done is told."""

import pytest

from wellshaped.records.phrase import Told
from wellshaped.train.processes import join


@pytest.mark.parametrize(
    ("told", "said"),
    [("ACCELERATE_USE_DEEPSPEED", "DeepSpeed"), ("ACCELERATE_USE_FSDP", "fsdp_version: 2")],
)
def test_what_cannot_be_done_is_told(monkeypatch, told, said):
    monkeypatch.setenv(told, "true")
    with pytest.raises(Told, match=f"WS988.*{said}"):
        join()
