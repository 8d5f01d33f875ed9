"""The plugin of other kernels does what another CPU does, and no more."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = """
import torch, tests.other_kernels
torch.manual_seed(0)
rows, weights = torch.randn(4, 8), torch.randn(8, 3)
together, alone = rows @ weights, torch.cat([row.unsqueeze(0) @ weights for row in rows])
assert not torch.equal(together, alone), "rows together and alone are added up alike"
torch.testing.assert_close(together, alone)
assert torch.equal(together, rows @ weights), "the same call gives other bits"
assert torch.equal(torch.arange(9.0).sum(), torch.tensor(36.0)), "whole numbers are not rounded"
assert torch.equal(torch.zeros(3).exp(), torch.ones(3))
assert torch.equal(torch.zeros(4, 8) @ weights, torch.zeros(4, 3)), "nothing becomes something"
leaf = rows.clone().requires_grad_()
(leaf @ weights).square().sum().backward()
torch.testing.assert_close(leaf.grad, 2 * together @ weights.T)
"""


def test_other_shapes_round_otherwise_and_the_same_call_alike():
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
