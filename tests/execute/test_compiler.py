"""An optimizer does not load torch's compiler in a dry run; whoever needs it gets it."""

import subprocess
import sys

PROGRAM = """
import inspect, sys, torch
from wellshaped.execute.compiler import defer_compiler
defer_compiler()
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(3, 2)).sum().backward()
optimizer.step()
optimizer.zero_grad()
inspect.getmodule(sys._getframe())
print("torch._dynamo.symbolic_convert" in sys.modules)
import torch._dynamo.config
print(torch._dynamo.config.__name__, torch._dynamo.is_compiling())
from torch._dynamo import optimize
print(optimize.__module__)
"""


def test_the_compiler_comes_when_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=300
    )
    first, second, third = done.stdout.splitlines()
    assert first == "False"
    assert second == "torch._dynamo.config False"
    assert third.startswith("torch._dynamo")
