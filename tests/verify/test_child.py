"""A forked child works although its parent has used many threads, and leaves nothing behind."""

import os
import subprocess
import sys
import tempfile
import time
import warnings

import torch

from wellshaped.verify.child import begin, end

# The parent's threads exist, and every part of torch that has a pool of them has used it.
THREADED = """
import sys, threading, torch
from torch import nn
from wellshaped.verify.child import begin, end

def work(_=None):
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 30 * 30, 64))
    model(torch.randn(16, 3, 32, 32)).sum().backward()
    square = torch.randn(900, 900)
    (square @ square).softmax(0).sort()
    nn.LSTM(32, 64, batch_first=True)(torch.randn(8, 50, 32))[0].sum().backward()
    return torch.get_num_threads()

torch.set_num_threads(4)
work()
threading.Thread(target=threading.Event().wait, daemon=True).start()
print([end(begin(work, seconds=30)) for _ in range(5)], torch.get_num_threads())
"""


def test_the_result_comes_back():
    assert end(begin(lambda _: {"a": (1, 2)}, seconds=10)) == {"a": (1, 2)}


def test_a_parent_with_many_threads_does_not_hang_its_child():
    command = [sys.executable, "-c", THREADED]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert ran.stdout == "[1, 1, 1, 1, 1] 4\n", ran.stderr


def test_the_parent_keeps_its_threads():
    before = torch.get_num_threads()
    end(begin(lambda _: None, seconds=10))
    assert torch.get_num_threads() == before


def test_a_child_that_ends_abruptly_gives_nothing():
    assert end(begin(lambda _: os._exit(3), seconds=10)) is None
    assert end(begin(lambda _: 1 / 0, seconds=10)) is None


def test_a_child_that_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr("wellshaped.verify.meter._WAIT", 0.0)
    monkeypatch.setattr("wellshaped.verify.meter._GRACE_WAIT", 0.0)
    assert end(begin(lambda _: time.sleep(100_000), seconds=0.3)) is None


def test_what_a_child_prints_and_writes_is_gone(capfd):
    def work(scratch):
        print("noise")
        os.write(1, b"more noise")
        (scratch / "file").write_text("x")
        warnings.warn("not an error here", stacklevel=1)
        return str(scratch)

    scratch = end(begin(work, seconds=10))
    assert scratch.startswith(tempfile.gettempdir())
    assert not os.path.exists(scratch)
    assert capfd.readouterr() == ("", "")
