"""A framework that only a run itself loads, in its sandbox, is steered and seen into as well."""

import sys

import pytest

from wellshaped.execute.program import Program
from wellshaped.observe.result import Setting
from wellshaped.observe.run import observe_run
from wellshaped.observe.trace.detect import Detectors

pytestmark = pytest.mark.slow

LOOP = """\
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.AdamW(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(7, 3), torch.randn(7)), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x, y in loader:
    accelerator.backward(torch.nn.functional.huber_loss(model(x), y))
    optimizer.step()
    optimizer.zero_grad()
"""


def test_a_framework_that_nobody_has_loaded_before(tmp_path, monkeypatch):
    if "accelerate" in sys.modules:
        pytest.skip("other tests of this process have loaded it; those of `make tests` do not")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(LOOP)
    ran = observe_run(Program("train.py"), Setting(3), seconds=200, detectors=Detectors())
    assert (ran.ended, ran.error) == ("ended", "")
    assert max(ran.batch_sizes_seen) == 3
    (hazard,) = ran.hazards
    assert (hazard.loss, hazard.place.line) == ("huber_loss", 11)
