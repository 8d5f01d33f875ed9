"""A failure is read the same with our own modes between the program and torch."""

from contextlib import nullcontext

import pytest

from wellshaped.execute.devices import mapped_devices
from wellshaped.observe.failure.exception import observe_exception

RAGGED = """
import torch
from torch.utils.data import DataLoader
for batch in DataLoader([torch.zeros(2), torch.zeros(3)], batch_size=2):
    pass
"""
LAYER = """
import torch
layer = torch.nn.Linear(3, 2)
layer(torch.zeros(4, 5))
"""


@pytest.mark.parametrize(("text", "kind"), [(RAGGED, "collate"), (LAYER, "module")])
@pytest.mark.parametrize("mode", [nullcontext, mapped_devices])
def test_our_frames_are_not_the_programs(text, kind, mode, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(text)
    with mode(), pytest.raises(RuntimeError) as caught:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__", "__file__": str(file)})
    found = observe_exception(caught.value)
    assert found is not None
    assert found.kind == kind
