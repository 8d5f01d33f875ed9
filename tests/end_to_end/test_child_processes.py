"""`check` on programs that train in processes of their own."""

import pytest

from wellshaped.execute.program import Program
from wellshaped.pipeline.check import check

pytestmark = pytest.mark.slow

TRAIN = """\
import os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

def train(rank, world):
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="12355")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    data = TensorDataset(torch.randn(16, 3), torch.randn(16))
    model = DistributedDataParallel(nn.Linear(3, 1))
    for x, y in DataLoader(data, batch_size=4, sampler=DistributedSampler(data)):
        nn.functional.mse_loss(model(x), y).backward()
    dist.destroy_process_group()

if __name__ == "__main__":
"""
STARTS = {
    "spawn": ("    mp.spawn(train, args=(2,), nprocs=2)\n", "first_rank"),
    "processes": (
        "    ranks = [mp.get_context('spawn').Process(target=train, args=(r, 2)) for r in (0, 1)]\n"
        "    for each in ranks: each.start()\n"
        "    for each in ranks: each.join()\n",
        "unwatched",
    ),
}


def test_a_failure_that_ends_a_child_alone_is_found(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        "import multiprocessing, torch\n"
        "def train():\n"
        "    torch.nn.functional.mse_loss(torch.zeros(8, 1), torch.zeros(8, 2, 3))\n"
        "child = multiprocessing.Process(target=train); child.start(); child.join()\n"
        "other = multiprocessing.Process(target=int, args=('no number',))\n"
        "other.start(); other.join()\n"
    )
    (found,) = check(Program(str(program))).report.findings
    assert found.diagnosis.finding.observation.passage.place.line == 3


@pytest.mark.parametrize("start", STARTS)
def test_a_fault_in_the_training_of_several_processes_is_found(tmp_path, start):
    program = tmp_path / "train.py"
    code, note = STARTS[start]
    program.write_text(TRAIN + code)
    report = check(Program(str(program))).report
    assert [found.diagnosis.finding.code for found in report.findings] == ["WS301"]
    assert [each.reason.name for each in report.not_checked if each.line > 18] == [note]
