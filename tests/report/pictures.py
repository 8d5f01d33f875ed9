"""Faults with their flow, made by running short programs in this process."""

import linecache
from collections.abc import Mapping

from wellshaped.observe.loss_guard.watch import guard
from wellshaped.pipeline.diagnosis import diagnose_exception, diagnose_hazards
from wellshaped.pipeline.picture import of_diagnosis
from wellshaped.records.flow import Pictured
from wellshaped.source.flow_capture import flow_capture

RANKING = """\
import torch
from torch import nn

reward = nn.Linear(16, 1)
ranking = nn.MarginRankingLoss()
preferred, other = torch.randn(4, 16), torch.randn(4, 16)
chosen, rejected = reward(preferred), reward(other)
label = torch.ones(chosen.size(0))
loss = ranking(chosen, rejected, label)
"""
SILENT = """\
import torch
from torch import nn

inputs = torch.randn(64, 3)
target = inputs @ torch.tensor([2.0, -1.0, 0.5])
model = nn.Linear(3, 1)
pred = model(inputs)
loss = nn.MSELoss()(pred, target)
"""
SQUEEZED = """\
import torch
from torch import nn

features = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
head = nn.Linear(6, 5)
for image, label in [(torch.randn(1, 3, 8, 8), torch.tensor([2]))]:
    logits = head(features(image).squeeze())
    loss = nn.functional.cross_entropy(logits, label)
    loss.backward()
"""


def pictured(source: str, *, file: str = "train.py", names: Mapping[str, object] = {}) -> Pictured:
    """The first fault of a program, as `run` would show it."""
    lines = source.splitlines(keepends=True)
    linecache.cache[file] = (len(source), None, lines, file)
    with flow_capture(), guard("record") as seen:
        try:
            exec(compile(source, file, "exec"), {"__name__": "__main__", **names})
        except Exception as error:
            found = diagnose_exception(error, tuple(seen.calls))
        else:
            found = next(diagnose_hazards(seen.calls), None)
    assert found is not None, "the program has no fault"
    return of_diagnosis(found)
