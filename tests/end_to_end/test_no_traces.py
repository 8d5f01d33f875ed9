"""`check` and `fix` leave the user's machine as it was, and say what they kept a program from."""

import hashlib
import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.repeated import few

pytestmark = pytest.mark.slow

TRAINING = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rows = torch.randn(9, 3)
data = TensorDataset(rows, rows.sum(1))
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(on_step=lambda loss: None, workers=0):
    for x, y in DataLoader(data, batch_size=4, num_workers=workers):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        on_step(loss.item())
"""

# Each trains a model with one silent fault, and writes as training programs do; an assertion
# that fails ends the program, and the check with status 2.
PROGRAMS = {
    "checkpoints": """
import json, os, shelve, sqlite3, struct
from pathlib import Path
import numpy as np
train()
torch.save({"model": model.state_dict()}, "old.pt")
torch.save(model.state_dict(), "runs/new.pt")
assert torch.load("runs/new.pt").keys() == model.state_dict().keys()
assert "model" in torch.load("old.pt")
flat = model.weight.detach().numpy().tobytes()
header = json.dumps({"weight": {"dtype": "F32", "data_offsets": [0, len(flat)]}}).encode()
Path("model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + flat)
assert Path("model.safetensors").read_bytes().endswith(flat)
with shelve.open("shelf") as shelf:
    shelf["epoch"] = 3
with shelve.open("shelf") as shelf:
    assert shelf["epoch"] == 3
with sqlite3.connect("runs.db") as base:
    base.execute("insert into runs values (2)")
assert sqlite3.connect("runs.db").execute("select count(*) from runs").fetchone() == (2,)
np.save("weights.npy", np.arange(4)); assert np.load("weights.npy")[3] == 3
mapped = np.memmap("map.bin", dtype="float32", mode="w+", shape=(8,)); mapped[:] = 1; mapped.flush()
assert os.path.getsize("map.bin") == 32
""",
    "logs": """
import csv, logging, struct, time
logging.basicConfig(level="INFO", handlers=[logging.FileHandler("train.log"),
                                            logging.FileHandler("runs/new.log", mode="w")])
table = csv.writer(open("history.csv", "a", newline=""))
events = open("runs/events.out.tfevents.1", "ab")
def log(loss):
    logging.info("loss %s", loss)
    table.writerow([time.time(), loss])
    events.write(struct.pack("<Qf", 4, loss)); events.flush()
train(log)
assert open("train.log").read().startswith("first line\\n") and "loss" in open("train.log").read()
assert open("runs/new.log").read().count("\\n") == open("train.log").read().count("\\n") - 1
""",
    "plots": """
import struct, zlib
def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
train()
with open("loss.png", "wb") as image:
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    image.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head))
    image.write(chunk(b"IDAT", zlib.compress(b"\\0\\0")) + chunk(b"IEND", b""))
try:
    import matplotlib
except ImportError:
    matplotlib = None
if matplotlib:
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.plot([1, 2]); pyplot.savefig("curve.png")
    assert open("curve.png", "rb").read(4) == b"\\x89PNG"
""",
    "own files": """
import os, shutil
from pathlib import Path
import mine
assert mine.RATE == 0.1
os.rename("old.pt", "older.pt"); assert not os.path.exists("old.pt")
os.remove("train.log"); assert "train.log" not in os.listdir()
os.truncate("history.csv", 0); assert os.path.getsize("history.csv") == 0
shutil.rmtree("runs"); os.mkdir("runs"); assert os.listdir("runs") == []
os.chmod("map.bin", 0o600); os.utime("map.bin", (1, 1))
shutil.move("map.bin", "runs/map.bin"); os.symlink("runs/map.bin", "map.bin")
assert Path("map.bin").resolve().name == "map.bin" and Path("map.bin").stat().st_mtime == 1
Path("mine.py").write_text("RATE = 0.5")
train()
""",
    "elsewhere": """
import os, tempfile
from pathlib import Path
os.environ["WANDB_MODE"] = "offline"; os.environ.pop("KEPT"); os.putenv("X", "1"); os.umask(0)
Path.home().joinpath(".cache", "run").mkdir(parents=True)
Path.home().joinpath(".cache", "run", "state").write_text("1")
assert Path("~/.cache/run/state").expanduser().read_text() == "1"
Path(os.environ["ABSOLUTE"]).write_text("1"); assert Path(os.environ["ABSOLUTE"]).read_text() == "1"
with tempfile.TemporaryDirectory() as folder:
    Path(folder, "x").write_text("1")
os.chdir("runs"); Path("here").write_text("1"); assert Path("../runs/here").exists()
os.chdir(tempfile.gettempdir()); train(workers=2)
""",
}
OUTSIDE = """
import multiprocessing, os, signal, socket, subprocess, urllib.request

def attempt(action):
    try:
        action()
    except OSError:
        return
    raise SystemExit("was not refused")

attempt(lambda: socket.create_connection(("127.0.0.1", int(os.environ["PORT"]))))
attempt(lambda: urllib.request.urlopen("http://example.invalid/weights"))
attempt(lambda: subprocess.run(["touch", "made"]))
attempt(lambda: os.system("touch made"))
attempt(lambda: os.kill(os.getppid(), signal.SIGKILL))
multiprocessing.Process(target=os.remove, args=("train.log",)).start()
with multiprocessing.get_context("spawn").Pool(2) as pool:
    pool.map(os.mkdir, ["made", "made too"])
train(workers=2)
"""


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A folder with a user's files and a home of its own; nothing in either may change."""
    folder, home = tmp_path / "project", tmp_path / "home"
    (folder / "runs").mkdir(parents=True)
    home.mkdir()
    home.joinpath(".netrc").write_text("mine")
    for name in ("old.pt", "map.bin", "runs/events.out.tfevents.1", "runs/best.pt"):
        folder.joinpath(name).write_bytes(bytes(range(64)))
    folder.joinpath("train.log").write_text("first line\n")
    folder.joinpath("history.csv").write_text("0,1.5\n")
    folder.joinpath("mine.py").write_text("RATE = 0.1\n")
    base = "import sqlite3\nb = sqlite3.connect('runs.db')\n"
    base += "b.execute('create table runs (x)'); b.execute('insert into runs values (1)')\n"
    subprocess.run([sys.executable, "-c", base + "b.commit()"], cwd=folder, check=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("KEPT", "kept")
    monkeypatch.setenv("ABSOLUTE", f"/tmp/wellshaped-absolute-{os.getpid()}")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return folder


def fingerprint(folder):
    """Everything of a file that a program can change, and a person would notice."""
    return {str(path): _of_one(path) for path in [folder, *sorted(folder.rglob("*"))]}


def _of_one(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    contents = os.readlink(path) if path.is_symlink() else ""
    if stat.S_ISREG(found.st_mode):
        contents = hashlib.sha256(path.read_bytes()).hexdigest()
    return oct(found.st_mode), found.st_mtime_ns, found.st_ino, contents


def wellshaped(*arguments, cwd):
    return warm.run(["-m", "wellshaped", *arguments], cwd=cwd, text=True)


def write(folder, *parts):
    folder.joinpath("train.py").write_text("\n".join((TRAINING, *parts)))


def test_the_fingerprint_sees_a_change(tmp_path):
    file = tmp_path / "a"
    file.write_text("1")
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == before
    os.utime(file, (1, 1))
    assert fingerprint(tmp_path) != before


@pytest.mark.parametrize("name", few(PROGRAMS, "own files", "checkpoints"))
def test_check_changes_no_file(user, name):
    write(user, PROGRAMS[name])
    before = fingerprint(user.parent)
    ran = wellshaped("check", "--format", "json", "train.py", cwd=user)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert [each["code"] for each in report["findings"]] == ["WS301"]
    assert "WS903" not in {each["code"] for each in report["not_checked"]}, report
    assert fingerprint(user.parent) == before
    assert not os.path.exists(os.environ["ABSOLUTE"])


def test_fix_without_apply_changes_no_file(user):
    write(user, PROGRAMS["checkpoints"], PROGRAMS["logs"], PROGRAMS["own files"])
    before = fingerprint(user.parent)
    ran = wellshaped("fix", "train.py", cwd=user)
    assert "unsqueeze(1)" in ran.stdout, ran.stdout + ran.stderr
    assert fingerprint(user.parent) == before


def test_check_keeps_environment_and_folder_of_its_process(user):
    write(user, PROGRAMS["elsewhere"])
    driver = (
        "import os; from wellshaped.cli import main\n"
        "def state():\n"
        "    mask = os.umask(0); os.umask(mask)\n"
        "    return dict(os.environ), os.getcwd(), mask\n"
        "before = state(); status = main(['check', 'train.py'])\n"
        "assert state() == before; raise SystemExit(status + 10)\n"
    )
    ran = warm.run(["-c", driver], cwd=user)
    assert ran.returncode == 11, ran.stderr.decode()


def test_what_was_refused_is_told_with_its_line(user, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        monkeypatch.setenv("PORT", str(server.getsockname()[1]))
        write(user, OUTSIDE)
        before = fingerprint(user.parent)
        ran = wellshaped("check", "--format", "json", "train.py", cwd=user)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert fingerprint(user.parent) == before
    lines = (user / "train.py").read_text().splitlines()
    refused = [each for each in json.loads(ran.stdout)["not_checked"] if each["code"] == "WS940"]
    assert all(each["file"] == "train.py" for each in refused)
    told = {(_call(lines[each["line"] - 1]), each["reason"].split("`")[1]) for each in refused}
    assert told == {
        ("socket.create_connection", "socket.connect"),
        ("urllib.request.urlopen", "socket.getaddrinfo"),
        ("subprocess.run", "subprocess.Popen"),
        ("os.system", "os.system"),
        ("os.kill", "os.kill"),
    }
    assert len(refused) == len(told), "each once, however many batch sizes were run"
    assert all("`WELLSHAPED_DRY_RUN`" in each["reason"] for each in refused)
    unwatched = [
        each for each in json.loads(ran.stdout)["not_checked"] if "child" in each["reason"]
    ]
    assert [each["code"] for each in unwatched] == ["WS905", "WS905"]
    assert [lines[each["line"] - 1].split("(")[0] for each in unwatched] == [
        "multiprocessing.Process",
        "with multiprocessing.get_context",
    ]


def _call(line: str) -> str:
    return line.removeprefix("attempt(lambda: ").partition("(")[0]
