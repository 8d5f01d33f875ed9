"""A program in the sandbox sees its own writes, and leaves no trace of them."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.execute.sandbox.boxed import DRIVER, sandboxed, user_folder

# Each prints what it sees; run by plain python afterwards, it must print the same.
PROGRAMS = {
    "only reads": """
import json, os, pathlib
print(open("log.txt").read(), json.load(open("config.json")), sorted(os.listdir("data")))
print(sorted(e.name for e in os.scandir("data")), type(next(os.scandir("."))).__name__)
print(sorted(map(str, pathlib.Path(".").rglob("*.txt"))), os.path.getsize("log.txt"))
""",
    "new file": """
with open("new.txt", "w") as file:
    print(file.name, file.write("one"))
print(open("new.txt").read(), sorted(os.listdir()), os.path.getsize("new.txt"))
open("new.txt", "w").close()
print(repr(open("new.txt").read()))
""",
    "append and update": """
with open("log.txt", "a") as file:
    file.write("new\\n")
with open("data/a.txt", "r+") as file:
    file.seek(1); file.write("X")
print(open("log.txt").read(), open("data/a.txt", "rb").read())
os.truncate("log.txt", 2)
print(open("log.txt").read())
""",
    "pathlib": """
p = pathlib.Path("runs") / "x" / "m.json"
p.parent.mkdir(parents=True); p.write_text("{}"); p.touch()
print(p.read_text(), p.exists(), p.stat().st_size, sorted(pathlib.Path(".").rglob("*.json")))
p.rename("runs/n.json"); print(sorted(os.listdir("runs")), p.exists())
p.parent.rmdir(); pathlib.Path("log.txt").unlink(); pathlib.Path("log.txt").unlink(missing_ok=True)
print(sorted(map(str, pathlib.Path(".").iterdir())))
""",
    "makedirs": """
os.makedirs("runs/x/y"); os.makedirs("runs/x/y", exist_ok=True); os.makedirs("data", exist_ok=True)
for call in (lambda: os.mkdir("data"), lambda: os.makedirs("runs/x"), lambda: os.mkdir("no/x")):
    try: call()
    except OSError as error: print(error)
print([(top, sorted(dirs), sorted(files)) for top, dirs, files in sorted(os.walk("."))])
""",
    "rename": """
os.rename("log.txt", "old.txt"); print(os.path.exists("log.txt"), open("old.txt").read())
open("tmp.txt", "w").write("fresh"); os.replace("tmp.txt", "config.json")
print(open("config.json").read())
os.rename("data", "moved"); print(sorted(os.listdir("moved")), open("moved/b/c.txt").read())
os.mkdir("data"); print(os.listdir("data"))
shutil.move("moved/a.txt", "data"); print(os.listdir("data"), os.listdir("moved"))
for pair in (("none", "x"), ("data", "moved"), ("data", "old.txt"), ("old.txt", "data")):
    try: os.rename(*pair)
    except OSError as error: print(error)
""",
    "remove": """
os.remove("log.txt"); print(os.path.exists("log.txt"), sorted(os.listdir(".")))
for call, path in ((os.remove, "log.txt"), (open, "log.txt"), (os.rmdir, "data"),
                   (os.stat, "log.txt"), (os.remove, "data"), (os.rmdir, "config.json")):
    try: call(path)
    except OSError as error: print(error)
open("log.txt", "a").write("again"); print(open("log.txt").read())
""",
    "rmtree": """
shutil.rmtree("data"); print(os.path.isdir("data"), sorted(os.listdir(".")))
try: os.listdir("data")
except OSError as error: print(error)
os.makedirs("data/b"); print(os.listdir("data"), os.listdir("data/b"), os.path.exists("data/a.txt"))
shutil.copytree("data", "copy"); print(sorted(os.listdir("copy")))
shutil.rmtree("copy"); shutil.rmtree("data"); print(sorted(os.listdir(".")))
""",
    "empties a folder": """
for name in os.listdir("data/b"): os.remove("data/b/" + name)
print(os.listdir("data/b"), list(os.scandir("data/b")))
os.rmdir("data/b")
print(os.listdir("data"))
""",
    "links": """
open("link/a.txt", "w").write("through"); print(open("data/a.txt").read(), os.readlink("link"))
os.symlink("log.txt", "latest"); print(open("latest").read(), os.path.islink("latest"))
open("latest", "a").write("more"); print(open("log.txt").read())
os.link("log.txt", "hard"); open("hard", "a").write("!"); print(open("log.txt").read())
os.remove("link"); print(os.path.exists("link"), sorted(os.listdir("data")))
os.symlink("loop", "loop")
try: open("loop")
except OSError as error: print(error)
""",
    "scandir": """
open("data/z.txt", "w").close()
entries = sorted(os.scandir("data"), key=lambda e: e.name)
print([(e.name, e.path, e.is_dir(), e.is_file(), e.is_symlink()) for e in entries])
print(sorted(e.path for e in os.scandir(b"data")), sorted(os.listdir(b"data")))
print(sorted(glob.glob("*/*.txt")), [e.stat().st_size for e in entries])
with os.scandir() as found: print(sorted(e.path for e in found))
fd = os.open("data", os.O_RDONLY)
print(sorted(os.listdir(fd)), os.stat("z.txt", dir_fd=fd).st_size)
""",
    "chdir": """
here = os.getcwd()
os.makedirs("runs/x")
os.chdir("runs")
print(os.path.relpath(os.getcwd(), here))
open("x/a.txt", "w").write("hi"); print(open("x/../x/a.txt").read(), os.listdir("."))
os.chdir("..")
print(sorted(os.listdir()), os.getcwd() == here, pathlib.Path.cwd() == pathlib.Path(here))
os.chdir("link"); open("w.txt", "w").close(); print(sorted(os.listdir("../data")))
""",
    "modes and times": """
os.chmod("log.txt", 0o600); os.utime("log.txt", (5, 6)); s = os.stat("log.txt")
print(oct(s.st_mode), s.st_mtime, open("log.txt").read(), os.access("log.txt", os.X_OK))
shutil.copy2("log.txt", "copy.txt"); print(os.stat("copy.txt").st_mtime)
for flags in ("x", "w"):
    try: open("log.txt", flags).write("1")
    except OSError as error: print(error)
print(open("log.txt").read())
try: open("missing/x", "w")
except OSError as error: print(error)
""",
    "logging, csv, zip, tar, gzip": """
import csv, gzip, bz2, lzma, logging, logging.handlers, tarfile, zipfile, pickle
logging.basicConfig(filename="log.txt", level="INFO"); logging.info("step"); logging.shutdown()
print(open("log.txt").read())
with open("t.csv", "w", newline="") as file: csv.writer(file).writerow([1, 2])
print(list(csv.reader(open("t.csv"))))
with zipfile.ZipFile("z.zip", "w") as z: z.write("log.txt"); z.writestr("a", "b")
print(zipfile.ZipFile("z.zip").namelist(), zipfile.is_zipfile("z.zip"))
with tarfile.open("t.tar", "w") as tar: tar.add("data")
print(sorted(tarfile.open("t.tar").getnames()))
for kind in (gzip, bz2, lzma):
    with kind.open("t.z", "wb") as file: file.write(b"x")
    print(kind.open("t.z").read())
pickle.dump([open, os.remove], open("p", "wb")); print(pickle.load(open("p", "rb"))[0] is open)
""",
    "tempfile": """
with tempfile.NamedTemporaryFile("w", dir=".", prefix="ckpt") as file:
    file.write("x"); file.flush(); print(open(file.name).read(), len(glob.glob("ckpt*")))
print(glob.glob("ckpt*"))
with tempfile.TemporaryDirectory() as name: open(name + "/a", "w").close(); print(os.listdir(name))
print(os.path.exists(name)); file, name = tempfile.mkstemp(dir="data"); os.write(file, b"ab")
os.replace(name, "data/a.txt")
print(open("data/a.txt").read())
tempfile.TemporaryFile().write(b"x")
""",
    "sqlite3": """
import sqlite3
base = sqlite3.connect("runs.db")
base.execute("create table t (a)")
base.execute("insert into t values (1)")
base.commit(); base.close(); print(os.path.exists("runs.db"))
print(sqlite3.connect("file:runs.db?mode=ro", uri=True).execute("select * from t").fetchall())
print(sqlite3.connect(":memory:").execute("select 1").fetchall())
""",
    "imports what it wrote": """
open("fresh.py", "w").write("x = 3")
import fresh
print(fresh.x)
import neighbour
print(neighbour.y)
""",
    "streams": """
open("/dev/null", "w").write("x"); print("a", flush=True); open("/dev/stdout", "a").write("b\\n")
print(sys.stdin.read() == "", os.read(0, 9)); os.write(1, b"c\\n")
try: input()
except EOFError: print("end")
""",
    "descriptors and openers": """
fd = os.open("raw.bin", os.O_RDWR | os.O_CREAT, 0o600); os.write(fd, b"raw"); os.close(fd)
print(open("raw.bin", "rb").read(), io.FileIO("raw.bin").read(), oct(os.stat("raw.bin").st_mode))
io.FileIO("raw.bin", "w").write(b"2")
print(open("raw.bin").read(), isinstance(open("raw.bin").buffer.raw, io.FileIO))
folder = os.open("data", os.O_RDONLY)
within = lambda path, flags: os.open(path, flags, dir_fd=folder)
with open("o.txt", "w", opener=within) as file: file.write("o")
print(open("data/o.txt").read(), os.path.exists("o.txt"))
os.unlink("a.txt", dir_fd=folder)
print(sorted(os.listdir("data")))
""",
    "handlers at exit": """
import atexit, threading
atexit.register(lambda: (open("log.txt", "a").write("bye"), print(open("log.txt").read())))
worker = threading.Thread(target=lambda: open("t.txt", "w").write("t"))
worker.start()
worker.join()
print(open("t.txt").read())
""",
}
COMMON = "import glob, io, os, pathlib, shutil, sys, tempfile\n"


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_sees_what_plain_python_shows_and_leaves_no_trace(user, name):
    program = COMMON + PROGRAMS[name]
    run = sandboxed(user, program)
    assert run.out
    command = [sys.executable, "-B", "program.py"]
    plain = subprocess.run(command, cwd=user, capture_output=True, text=True, input="")
    assert (run.out, plain.returncode) == (plain.stdout, 0), plain.stderr
    assert run.refused() == set()
    assert not [note for note in run.notes if "__pycache__" in str(note[2])]


def test_functions_that_a_class_keeps_as_static_methods_see_new_files(user):
    # Python 3.13's `glob` keeps them so: `Path.rglob` did not see what was just written.
    (user / "early.py").write_text(
        "import os\n"
        "class Globber:\n    scandir = staticmethod(os.scandir)\n"
        "    lstat = staticmethod(os.lstat)\n"
    )
    program = """
from early import Globber
import pathlib
pathlib.Path("runs").mkdir(); pathlib.Path("runs/best.pt").write_text("x")
print([entry.name for entry in Globber.scandir("runs")], Globber.lstat("runs/best.pt").st_size)
print(sorted(map(str, pathlib.Path("runs").rglob("*.pt"))))
"""
    driver = DRIVER.replace("import json", "import early, json", 1)
    run = sandboxed(user, program, driver=driver)
    assert run.out.splitlines() == ["['best.pt'] 1", "['runs/best.pt']"]


def test_every_redirected_write_is_noted_with_its_line(user):
    run = sandboxed(
        user, 'import os\nfor _ in "ab":\n    open("log.txt", "a")\nos.remove("data/a.txt")\n'
    )
    assert run.notes == [
        ["redirected", "open", str(user / "log.txt"), "program.py", 3],
        ["redirected", "remove", str(user / "data/a.txt"), "program.py", 4],
    ]


TORCH = """
import importlib.util, io, json, os, warnings
import numpy as np, torch
from torch.utils.data import DataLoader, Dataset
warnings.simplefilter("ignore")
os.makedirs("runs/x"); model = torch.nn.Linear(2, 1)
for name in ("runs/x/m.pt", "runs/x/ñ.pt", "weights.pt"):
    torch.save(model.state_dict(), name); torch.save(model.state_dict(), name)
    for kept in (torch.load(name), torch.load(name, mmap=True)):
        assert torch.equal(kept["weight"], model.weight), name
torch.save([1], "runs/x/old.pt", _use_new_zipfile_serialization=False)
assert torch.load("runs/x/old.pt") == [1]
os.replace("runs/x/m.pt", "runs/last.pt")
torch.load("runs/last.pt")
assert not os.path.exists("runs/x/m.pt")
try: torch.load("runs/x/m.pt")
except FileNotFoundError as error: print(error)
kept = torch.from_file("map.bin", shared=True, size=4); kept.fill_(3)
assert np.fromfile("map.bin", "float32").tolist() == [3] * 4
torch.jit.script(model).save("script.pt"); torch.jit.load("script.pt")
with torch.autograd.profiler.profile() as profile: model(torch.ones(1, 2))
profile.export_chrome_trace("trace.json"); assert json.load(open("trace.json"))
np.save("a.npy", np.ones(3)); assert np.load("a.npy", mmap_mode="r+").sum() == 3
np.savez("a.npz", x=np.ones(2)); assert np.load("a.npz")["x"].sum() == 2
np.savetxt("a.txt", np.ones(2)); assert np.loadtxt("a.txt").sum() == 2
np.ones(2).tofile("a.bin"); assert np.fromfile("a.bin").sum() == 2
class Files(Dataset):
    names = sorted(os.listdir("data"))[:1] * 4
    def __len__(self): return len(self.names)
    def __getitem__(self, i):
        open(f"cache{i}.txt", "w").write("seen")
        return len(open("data/" + self.names[i]).read())
print([batch.tolist() for batch in DataLoader(Files(), batch_size=3)], open("cache3.txt").read())
if importlib.util.find_spec("matplotlib"):
    import matplotlib; matplotlib.use("Agg"); import matplotlib.pyplot as plt
    plt.plot([1, 2])
    plt.savefig("plot.png")
    plt.savefig("plot.pdf")
    assert os.path.getsize("plot.png")
if importlib.util.find_spec("safetensors"):
    from safetensors.torch import load_file, save_file
    save_file({"a": torch.ones(2)}, "m.safetensors")
    assert load_file("m.safetensors")["a"].sum() == 2
print("done")
"""


@pytest.mark.slow
def test_torch_and_numpy_save_and_load(user):
    (user / "weights.pt").write_text("not to be overwritten")
    run = sandboxed(user, TORCH, how="torch")
    assert run.out.splitlines() == [
        "[Errno 2] No such file or directory: 'runs/x/m.pt'",
        "[[3, 3, 3], [3]] seen",
        "done",
    ]
    written = {Path(str(target)).name for kind, _, target, *_ in run.notes if kind == "redirected"}
    names = "weights.pt ñ.pt last.pt map.bin script.pt trace.json a.npy a.npz a.bin cache3.txt"
    assert set(names.split()) <= written
    if importlib.util.find_spec("matplotlib"):
        assert {"plot.png", "plot.pdf"} <= written
