"""Nothing outlives a run: neither its end, nor that of the process that asked for it."""

import contextlib
import multiprocessing
import os
import signal
import tempfile
import time
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import pytest
import torch

from wellshaped.execute.forked.child import begin, drop, end
from wellshaped.execute.forked.keeper import kept_folder

SHARED = Path("/dev/shm")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """A folder for temporary files in which nobody else leaves any."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def detached(pids: Path) -> None:
    """Start a process as daemons do: of another session, with no parent of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            note(pids)
            time.sleep(600)
        os._exit(0)
    os.wait()


def note(pids: Path) -> None:
    with pids.open("a") as file:
        file.write(f"{os.getpid()}\n")


def leave_everything(pids: Path) -> None:
    """What a program may leave: processes, shared memory, semaphores, files it forbids to all."""
    note(pids)
    detached(pids)
    torch.multiprocessing.set_sharing_strategy("file_system")
    tensor, own = torch.zeros(3).share_memory_(), str(os.getpid())
    semaphore = multiprocessing.get_context("spawn").Semaphore()
    segments = SharedMemory(create=True, size=8), SharedMemory(f"segment-{own}", True, 8)
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(b"x")
    folder = Path(tempfile.mkdtemp())
    (folder / "inner").mkdir()
    folder.chmod(0)
    names = {each.name for each in SHARED.iterdir() if own in each.name} | {segments[0].name}
    assert len(names) == 4, (names, tensor, semaphore)
    names_of(pids).with_suffix(".draft").write_text(" ".join(names))
    names_of(pids).with_suffix(".draft").rename(names_of(pids))


def names_of(pids: Path) -> Path:
    """Where the names of what was shared are written, once everything is left."""
    return pids.with_suffix(".names")


def wait_for(condition, seconds=20.0):
    until = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


def nothing_is_left(pids: Path, folder: Path) -> bool:
    running = [pid for pid in map(int, pids.read_text().split()) if not is_gone(pid)]
    names = names_of(pids).read_text().split() if names_of(pids).exists() else ()
    shared = [name for name in names if (SHARED / name).exists()]
    return not running and not shared and not [*folder.iterdir()]


@pytest.mark.parametrize("how", ["ends", "exits", "dies", "is dropped"])
def test_nothing_outlives_a_run(tmp_path, own_folder, how):
    pids = tmp_path / "pids"

    def work(_):
        leave_everything(pids)
        if how == "exits":
            os._exit(3)
        if how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(600 if how == "is dropped" else 0)

    child = begin(work, seconds=60)
    if how == "is dropped":
        assert wait_for(names_of(pids).exists)
        drop(child)
    else:
        end(child)
    assert len(pids.read_text().split()) == 2
    assert names_of(pids).exists(), "it has left everything"
    assert nothing_is_left(pids, own_folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_outlives_the_process_that_asked(tmp_path, own_folder, number):
    pids = tmp_path / "pids"

    def work(_):
        leave_everything(pids)
        time.sleep(600)

    parent = os.fork()
    if parent == 0:
        with contextlib.suppress(BaseException):
            signal.signal(signal.SIGINT, signal.default_int_handler)
            end(begin(work, seconds=60))
        os._exit(0)
    assert wait_for(names_of(pids).exists)
    os.kill(parent, number)
    os.waitpid(parent, 0)
    assert wait_for(lambda: nothing_is_left(pids, own_folder))


def test_a_run_inside_a_run_ends_with_it(tmp_path, own_folder):
    pids = tmp_path / "pids"

    def inner(_):
        leave_everything(pids)
        time.sleep(600)

    child = begin(lambda _: end(begin(inner, seconds=60)), seconds=60)
    assert wait_for(names_of(pids).exists)
    drop(child)
    assert nothing_is_left(pids, own_folder)


def test_a_keeper_that_is_killed_takes_its_run_with_it(tmp_path, own_folder):
    pids = tmp_path / "pids"

    def work(_):
        note(pids)
        time.sleep(600)

    child = begin(work, seconds=60)
    assert wait_for(pids.exists)
    os.kill(child.pid, signal.SIGKILL)
    assert end(child) is None
    assert wait_for(lambda: nothing_is_left(pids, own_folder))


@pytest.mark.parametrize("number", [0, signal.SIGTERM, signal.SIGKILL])
def test_a_folder_goes_with_its_block_or_its_process(own_folder, number):
    parent = os.fork()
    if parent == 0:
        with contextlib.suppress(BaseException), kept_folder() as folder:
            (folder / "file").touch()
            time.sleep(600 if number else 0)
        os._exit(0)
    if number:
        assert wait_for(lambda: [*own_folder.glob("*/file")])
        os.kill(parent, number)
    os.waitpid(parent, 0)
    assert wait_for(lambda: not [*own_folder.iterdir()])


def test_what_the_caller_does_with_signals_stays(tmp_path):
    handler, mask = signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert end(
        begin(lambda _: len(signal.pthread_sigmask(signal.SIG_BLOCK, [])), seconds=9)
    ) == len(mask)
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == mask
