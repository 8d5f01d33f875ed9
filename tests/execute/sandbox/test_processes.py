"""Children that a program forks in the sandbox, and commands that it may run there."""

from importlib.metadata import PackageNotFoundError, version

import pytest

from tests.execute.sandbox.boxed import DRIVER, sandboxed, user_folder

# Each runs a worker that writes one file and deletes another; its parent must see both.
WORKERS = {
    "fork": "run = lambda f, *a: multiprocessing.Process(target=f, args=a)",
    "spawn": "run = lambda f, *a: multiprocessing.get_context('spawn').Process(target=f, args=a)",
    "forkserver": "multiprocessing.set_start_method('forkserver')\n"
    "run = lambda f, *a: multiprocessing.Process(target=f, args=a)",
}
WORK = """
import multiprocessing, os
def work(queue, lock, name):
    with lock, open(name, "w") as file: file.write(name)
    os.remove("log.txt"); os.rename("config.json", "moved.json")
    queue.put(sorted(os.listdir()))
{start}
context = multiprocessing.get_context(multiprocessing.get_start_method())
queue, lock = context.Queue(), context.Lock()
child = run(work, queue, lock, "made.txt"); child.start()
print(queue.get() == sorted(os.listdir()), child.join(), child.exitcode)
print(open("made.txt").read(), os.path.exists("log.txt"), open("moved.json").read())
"""


def is_installed(package):
    """Whether a package is there for a child too: another test may have put one in its place."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


@pytest.mark.parametrize("start", WORKERS)
def test_a_child_shares_the_files_of_its_parent(user, start):
    run = sandboxed(user, WORK.format(start=WORKERS[start]))
    assert run.out.splitlines() == ["True None 0", "made.txt False [1]"]
    assert run.refused() == set()


def test_pools_and_executors_work_and_are_noted_as_unwatched(user):
    program = """
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
def square(x):
    open(f"{x}.txt", "w").write(str(x * x)); return x * x
with multiprocessing.Pool(2) as pool:
    print(pool.map(square, range(4)), sorted(f for f in os.listdir() if f[0].isdigit()))
with multiprocessing.Pool(1, maxtasksperchild=1) as pool:
    print(pool.map(square, [7, 8], chunksize=1))
with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
    print(list(pool.map(square, [5, 6])), open("6.txt").read(), multiprocessing.get_start_method())
"""
    run = sandboxed(user, program)
    files = ["0.txt", "1.txt", "2.txt", "3.txt"]
    assert run.out.splitlines() == [f"[0, 1, 4, 9] {files}", "[49, 64]", "[25, 36] 36 fork"]
    noted = [(note[1], note[4]) for note in run.notes if note[0] == "unwatched"]
    assert noted == [("os.fork", 6), ("os.fork", 8), ("os.fork", 11)]


def test_a_forked_child_that_ends_says_nothing_for_its_parent(user):
    program = """
import os, sys
child = os.fork()
if child == 0:
    print("child", flush=True); sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
other = os.fork()
if other == 0:
    raise ValueError
print(os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]))
"""
    driver = DRIVER.replace("sys.exit", "print('reported'); sys.exit")
    run = sandboxed(user, program, driver=driver)
    assert run.out.splitlines() == ["child", "3", "1", "reported"]


def test_children_are_confined_and_end_with_the_program(user):
    program = """
import os, signal, subprocess, time
def attempt(call):
    try: call(); print("went through", flush=True)
    except PermissionError as error: print(error.code, flush=True)
def try_all():
    attempt(lambda: subprocess.run(["touch", "made"]))
    attempt(lambda: os.kill(os.getppid(), signal.SIGTERM))
child = os.fork()
if child == 0:
    try_all(); os._exit(0)
os.waitpid(child, 0)
child = os.fork()
if child == 0: time.sleep(600)
os.kill(child, signal.SIGTERM); print(os.waitpid(child, 0)[1])
if os.fork() == 0: time.sleep(600)
"""
    assert sandboxed(user, program).out.split() == ["WS940", "WS940", "15"]


def test_commands_that_only_read_are_run(user):
    program = """
import os, shutil, subprocess, platform
print(subprocess.check_output(["cat", "log.txt"], text=True), os.popen("stty size").read().split())
print(subprocess.run("ls data | wc -l", shell=True, capture_output=True, text=True).stdout.strip())
print(subprocess.check_output(["stty", "size"]), subprocess.getoutput("tput cols"))
print(os.system("true"), tuple(os.get_terminal_size()), bool(platform.uname().system))
try: subprocess.run(["nvidia-smi-not-installed"])
except PermissionError as error: print(error.code)
try: subprocess.check_output(["git", "rev-parse", "HEAD"], stderr=subprocess.DEVNULL)
except (subprocess.CalledProcessError, FileNotFoundError): print("no repository")
os.makedirs("data/new"); os.chdir("data"); print(subprocess.getoutput("cat a.txt")); os.chdir("..")
open("log.txt", "w").write("changed")
try: subprocess.check_output(["cat", "log.txt"])
except PermissionError as error: print(error.code)
"""
    run = sandboxed(user, program)
    assert run.out.splitlines() == [
        *("old", " ['24', '80']", "2", "b'24 80\\n' 80", "0 (80, 24) True", "WS940"),
        *("no repository", "abc", "WS940"),
    ]


def test_a_refusal_names_its_place_and_a_remedy(user):
    program = """
import os, socket, subprocess
assert os.environ["WELLSHAPED_DRY_RUN"] == "1"
for call in (lambda: subprocess.run(["wget", "http://example.org\\n"]),
             lambda: socket.create_connection(("203.0.113.1", 80))):
    try: call()
    except PermissionError as error: print(error)
"""
    process, network = sandboxed(user, program).out.splitlines()
    assert "program.py:4: the dry run refuses `subprocess.Popen`: wget http://" in process
    assert "run it before the check, or skip this line when" in process
    assert "program.py:5: the dry run refuses `socket.getaddrinfo`: 203.0.113.1" in network
    assert "download it first" in network
    assert process.endswith("environment variable `WELLSHAPED_DRY_RUN` is set")
    assert network.endswith("environment variable `WELLSHAPED_DRY_RUN` is set")


def test_the_first_of_several_ranks_runs_in_the_process_itself(user):
    program = """
import os, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
def train(rank, size, name):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:9", rank=rank, world_size=size)
    model = DistributedDataParallel(torch.nn.Linear(2, 1), device_ids=[rank])
    model(torch.ones(3, 2)).sum().backward()
    assert model.module.weight.grad.tolist() == [[3, 3]]
    total = torch.ones(1); dist.all_reduce(total); dist.barrier()
    print(rank, dist.get_world_size(), name, os.getpid() == started, flush=True)
    dist.destroy_process_group()
started = os.getpid()
mp.spawn(train, args=(2, "two"), nprocs=2)
mp.spawn(train, args=(1, "one"), join=False).join()
"""
    run = sandboxed(user, program, how="torch")
    assert run.out.splitlines() == ["0 2 two True", "0 1 one True"]
    assert [note[:3] for note in run.notes if note[0] == "unwatched"] == [
        ["unwatched", "torch.multiprocessing.spawn", "2"]
    ]


def test_shared_memory_and_the_search_for_libraries_work(user):
    program = """
import ctypes.util, multiprocessing
from multiprocessing.shared_memory import SharedMemory
def add(name):
    segment = SharedMemory(name); segment.buf[0] += 1; segment.close()
segment = SharedMemory(create=True, size=8); segment.buf[0] = 4
child = multiprocessing.Process(target=add, args=(segment.name,)); child.start(); child.join()
print(segment.buf[0]); segment.close(); segment.unlink()
print(ctypes.util.find_library("no such library"))
"""
    run = sandboxed(user, program)
    assert run.out.split() == ["5", "None"]
    assert run.refused() == set()


WANDB = """
import os, subprocess, sys
def init(project=None, mode=None):
    mode = mode or os.environ.get("WANDB_MODE", "online")
    if mode != "disabled":
        subprocess.Popen([sys.executable, "-m", "wandb.service"])
    return mode
"""


def test_a_tracker_is_disabled_whatever_mode_the_program_asks_for(user):
    (user / "wandb").mkdir()
    (user / "wandb" / "__init__.py").write_text(WANDB)
    program = """
import wandb
from wandb import init
print(wandb.init(project="x"), wandb.init(mode="offline"), init("x", mode="online"))
"""
    assert sandboxed(user, program).out.split() == ["disabled"] * 3


def test_wandb_itself_starts_no_service(user):
    if not is_installed("wandb"):
        pytest.skip("wandb is not installed")
    program = """
import wandb
run = wandb.init(project="x", mode="offline", config={"rate": 0.1})
wandb.log({"loss": 1.0}); run.summary["best"] = 1; print(wandb.config.rate, wandb.run is run)
run.finish()
"""
    run = sandboxed(user, program)
    assert run.out.split() == ["0.1", "True"]
    assert run.refused() == set()


def test_joblib_works_one_after_another(user):
    pytest.importorskip("joblib", reason="joblib is not installed")
    program = """
import os
from joblib import Parallel, delayed
def work(x): return x * x, os.getpid()
for options in ({}, {"prefer": "processes"}, {"backend": "multiprocessing"}):
    found = Parallel(n_jobs=2, **options)(delayed(work)(x) for x in (1, 2))
    print([square for square, _ in found], {process for _, process in found} == {os.getpid()})
"""
    run = sandboxed(user, program)
    assert run.out.splitlines() == ["[1, 4] True"] * 3
    assert run.refused() == set()
