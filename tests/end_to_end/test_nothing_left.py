"""`check`, `fix` and a checked step harm nothing that is open, and leave nothing when they end."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import warm
from tests.repeated import few

pytestmark = pytest.mark.slow

# Everything a training program keeps open while it trains, and a step that writes to all of it.
OPEN = """
import logging, mmap, os, sqlite3
import numpy as np, torch
from torch import nn
import wellshaped

logging.basicConfig(filename="train.log", level=logging.INFO)
history = open("history.csv", "w"); history.write("header\\n")
raw = open("raw.log", "wb", buffering=0)
open("m.bin", "wb").write(bytes(64))
binary = open("m.bin", "r+b"); mapped = mmap.mmap(binary.fileno(), 0)
base = sqlite3.connect("runs.db"); base.execute("create table t (a)"); base.commit()
array = np.memmap("cache.dat", dtype="f4", mode="w+", shape=(10,))
shared = torch.zeros(3).share_memory_()
try:
    from torch.utils.tensorboard import SummaryWriter
    board = SummaryWriter("board")
except ImportError:
    board = None
model = nn.Linear(3, 1)

def step(x, y):
    loss = nn.functional.mse_loss(model(x), y)
    logging.info("loss %s", float(loss))
    history.write("row\\n"); history.flush()
    raw.write(b"raw\\n"); mapped[0:1] = b"Z"; array[:] = 5; shared.fill_(5)
    if board:
        board.add_scalar("loss", float(loss), 1); board.flush()
    return loss

def state():
    sizes = {path: os.path.getsize(path) for path in (os.path.join(at, name)
             for at, _, names in os.walk(".") for name in names)}
    rows = base.execute("select count(*) from t").fetchone()
    return sizes, mapped[0:1], float(array[0]), shared.tolist(), rows

if board:
    board.flush()
before = state()
report = wellshaped.check(step, (torch.zeros(4, 3), torch.zeros(4, 1)), budget=120)
assert report.not_checked == (), report
assert state() == before, (before, state())
history.close()
assert open("history.csv").read() == "header\\n"
print("unharmed")
"""

KILLED = """
import os, signal, torch
from torch import nn
nn.functional.mse_loss(torch.zeros(4, 1, requires_grad=True), torch.zeros(4)).backward()
os.kill(os.getpid(), signal.SIGKILL)
"""

ESCAPE = """
import os, pickle, stat, torch
class Escape:
    def __reduce__(self):
        return os.mkdir, ("escaped",)
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        if stat.S_ISFIFO(os.fstat(number).st_mode):
            os.write(number, pickle.dumps(Escape()) * 9)
    except OSError:
        pass
"""

SLOW = """
import time, torch
from torch import nn
loss = nn.functional.mse_loss(nn.Linear(3, 1)(torch.zeros(4, 3)), torch.zeros(4))
with open("SEEN", "w") as seen:
    seen.write("x")
time.sleep(600)
"""


def environment(folder: Path) -> dict[str, str]:
    """Temporary files go to a folder in which nobody else leaves any."""
    (folder / "tmp").mkdir()
    return {**os.environ, "TMPDIR": str(folder / "tmp")}


def checked(folder: Path, text: str) -> dict[str, object]:
    (folder / "train.py").write_text(text)
    command = ["-m", "wellshaped", "check", "--format", "json", "train.py"]
    env = environment(folder)
    ran = warm.run(command, cwd=folder, env=env, text=True)
    assert not [*(folder / "tmp").iterdir()]
    report: dict[str, object] = json.loads(ran.stdout)
    return report


def test_what_the_caller_has_open_stays_as_it_is(tmp_path):
    (tmp_path / "train.py").write_text(OPEN)
    ran = warm.run(["train.py"], cwd=tmp_path, text=True)
    assert ran.stdout == "unharmed\n", ran.stdout + ran.stderr


def test_a_program_that_is_killed_has_told_what_it_did_before(tmp_path):
    report = checked(tmp_path, KILLED)
    assert [each["code"] for each in report["findings"]] == ["WS301"]
    assert "WS902" in [each["code"] for each in report["not_checked"]]


def test_what_a_program_writes_into_pipes_is_neither_executed_nor_clean(tmp_path):
    report = checked(tmp_path, ESCAPE)
    assert "WS902" in [each["code"] for each in report["not_checked"]]
    assert not (tmp_path / "escaped").exists()


STEP = """
import sys, torch, wellshaped
def step(x):
    print(x.sum(), file=sys.stdout)
    exec(compile(open("train.py").read(), "train.py", "exec"))
wellshaped.check(step, torch.zeros(4, 3), budget=900)
"""


def _processes(folder: Path) -> list[str]:
    """The processes that work in a folder."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            state = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[0]
            if os.readlink(f"/proc/{name}/cwd") == str(folder) and state not in "ZX":
                found.append(name)
        except OSError:
            continue  # it ended, or is somebody else's
    return found


def wait_for(condition, seconds):
    until = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(
    ("what", "number"),
    few(
        [
            *(("check", signal.SIGINT), ("check", signal.SIGKILL), ("fix", signal.SIGTERM)),
            *(("step", signal.SIGINT), ("step", signal.SIGHUP)),
        ],
        *(("check", signal.SIGKILL), ("fix", signal.SIGTERM), ("step", signal.SIGINT)),
    ),
)
def test_a_signal_leaves_nothing(tmp_path, what, number):
    env = environment(tmp_path)
    (tmp_path / "train.py").write_text(SLOW)
    (tmp_path / "step.py").write_text(STEP)
    ours = ["-m", "wellshaped", what, "--budget", "900", "train.py"]
    command = [sys.executable, *(["step.py"] if what == "step" else ours)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=quiet, stderr=quiet) as process:
        seen = lambda: [*(tmp_path / "tmp").rglob("SEEN")]  # noqa: E731
        assert wait_for(seen, 60), "the program is under way"
        process.send_signal(number)
        process.wait(30)
    assert wait_for(lambda: not [*(tmp_path / "tmp").iterdir()], 10)
    assert wait_for(lambda: not _processes(tmp_path), 10)
