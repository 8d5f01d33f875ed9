"""A forked child works although its parent has used many threads, and leaves nothing behind."""

import contextlib
import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import time
import warnings

import pytest
import torch

from wellshaped.execute.forked.child import begin, end, tell

# The parent's threads exist, and every part of torch that has a pool of them has used it.
THREADED = """
import sys, threading, torch
from torch import nn
from wellshaped.execute.forked.child import begin, end

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
    monkeypatch.setattr("wellshaped.execute.forked.meter._WAIT", 0.0)
    monkeypatch.setattr("wellshaped.execute.forked.meter._GRACE_WAIT", 0.0)
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


def killed(_):
    os.kill(os.getpid(), signal.SIGKILL)


def crashed(_):
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (killed, "killed by SIGKILL"),
        (crashed, "segmentation fault (SIGSEGV)"),
        (lambda _: os.abort(), "aborted (SIGABRT)"),
        (lambda _: os._exit(0), "exited by os._exit(0)"),
        (lambda _: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda _: object(), "NotPlain: builtins.object is no plain data"),
    ],
)
def test_a_child_that_leaves_no_result_says_what_ended_it(work, reason):
    child = begin(work, seconds=10)
    assert end(child) is None
    assert (child.how, child.reason) == ("died", reason)


def test_what_a_child_has_told_is_there_when_it_dies():
    def work(scratch):
        for number in range(3):
            tell({"seen": (number,)})
        if os.fork() == 0:
            tell("of another process")
            os._exit(0)
        os.wait()
        killed(scratch)

    child = begin(work, seconds=10)
    assert end(child) is None
    assert child.so_far == {"seen": (2,)}


def test_telling_much_does_not_stop_a_child_that_nobody_reads(tmp_path):
    def work(_):
        for number in range(50):
            tell([number, "x" * 100_000])
        (tmp_path / "told").touch()
        return "done"

    child = begin(work, seconds=20)
    until = time.monotonic() + 10
    while not (tmp_path / "told").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert end(child) == "done"


def test_an_alarm_does_not_cut_a_result_in_two():
    def work(_):
        signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
        signal.setitimer(signal.ITIMER_REAL, 0.3)  # then the pipe is full, and nobody reads
        return "x" * 3_000_000

    child = begin(work, seconds=20)
    time.sleep(0.6)
    assert len(end(child)) == 3_000_000


def _pipes():
    for number in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                yield number


def test_a_program_that_writes_into_every_pipe_is_not_believed(tmp_path):
    class Escape:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "escaped"),)

    def work(_):
        for number in _pipes():
            os.write(number, pickle.dumps(Escape()) * 9)
        return "all is well"

    child = begin(work, seconds=10)
    assert end(child) is None
    assert (child.how, child.reason) == ("died", "the program wrote into the pipe of its result")
    assert not (tmp_path / "escaped").exists()


def test_the_pipe_of_the_result_is_far_from_where_programs_look():
    assert end(begin(lambda _: min(_pipes()), seconds=10)) > 500
