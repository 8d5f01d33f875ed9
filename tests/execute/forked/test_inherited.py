"""What the caller has open stays as it is, whatever a forked child does to it."""

import fcntl
import logging
import mmap
import multiprocessing
import os
import select
import socket
import tempfile
import threading
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import pytest
import torch

from wellshaped.execute.forked.child import begin, end
from wellshaped.execute.forked.writers import running_writers, start_again


def in_child(act):
    """What a function gives in a forked child; it must not die there."""
    child = begin(lambda _: act(), seconds=20)
    found = end(child)
    assert child.how == "done", child.reason
    return found


def test_a_buffered_file_is_written_once_and_by_its_owner(tmp_path):
    with (tmp_path / "history.csv").open("w") as history:
        history.write("header\n")

        def write():
            history.write("row\n")
            history.flush()
            return history.tell()

        assert in_child(write) == len("header\nrow\n")
    assert (tmp_path / "history.csv").read_text() == "header\n"


def test_a_raw_file_and_a_log_keep_contents_and_positions(tmp_path):
    raw = os.open(tmp_path / "raw", os.O_CREAT | os.O_RDWR)
    os.write(raw, b"0123456789")
    os.lseek(raw, 4, os.SEEK_SET)
    handler = logging.FileHandler(tmp_path / "log")

    def act():
        handler.emit(logging.makeLogRecord({"msg": "in the child"}))
        seen = os.read(raw, 3)
        os.write(raw, b"xx")
        os.ftruncate(raw, 9)
        return seen, os.pread(raw, 99, 0)

    assert in_child(act) == (b"456", b"0123456xx")
    assert os.lseek(raw, 0, os.SEEK_CUR) == 4
    assert os.pread(raw, 99, 0) == b"0123456789"
    assert (tmp_path / "log").read_text() == ""
    os.close(raw)
    handler.close()


def test_a_file_that_is_read_keeps_its_position(tmp_path):
    (tmp_path / "data").write_bytes(bytes(range(9)))
    with (tmp_path / "data").open("rb", buffering=0) as data:
        data.read(2)
        assert in_child(lambda: data.read(3)) == bytes([2, 3, 4])
        assert data.read(1) == bytes([2])


def test_a_file_without_a_name_is_a_copy_too():
    with tempfile.TemporaryFile() as held:
        held.write(b"mine")
        held.flush()

        def act():
            held.seek(0)
            seen = held.read()
            held.write(b"theirs")
            held.flush()
            return seen

        assert in_child(act) == b"mine"
        assert os.fstat(held.fileno()).st_size == 4


def test_a_file_that_is_too_large_to_copy_can_be_read_and_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr("wellshaped.execute.forked.inherited.MOST", 8)
    with (tmp_path / "large").open("w+b", buffering=0) as large:
        large.write(b"0123456789")

        def act():
            with pytest.raises(OSError, match="Bad file descriptor"):
                large.write(b"x")
            return os.pread(large.fileno(), 2, 8)

        assert in_child(act) == b"89"
    assert (tmp_path / "large").read_bytes() == b"0123456789"


def test_nothing_is_sent_to_whom_the_caller_talks_to():
    near, far = socket.socketpair()
    reading, writing = os.pipe()
    event, poll = os.eventfd(0, os.EFD_NONBLOCK), select.epoll()
    poll.register(far, select.EPOLLIN)

    def act():
        os.write(writing, b"lost")
        os.eventfd_write(event, 1)
        poll.register(event, select.EPOLLIN)
        with pytest.raises(FileNotFoundError):
            poll.unregister(far)
        with pytest.raises(BrokenPipeError):
            near.send(b"lost")
        return near.recv(1), os.read(reading, 1)

    assert in_child(act) == (b"", b"")
    assert poll.poll(0) == []
    for each in (reading, far.fileno()):
        os.set_blocking(each, False)
        with pytest.raises(BlockingIOError):
            os.read(each, 1)
    with pytest.raises(BlockingIOError):
        os.eventfd_read(event)
    near.send(b"x")
    assert [number for number, _ in poll.poll(1)] == [far.fileno()]
    for each in (near, far, poll):
        each.close()
    for number in (reading, writing, event):
        os.close(number)


def test_a_lock_on_a_file_is_not_released(tmp_path):
    with (tmp_path / "lock").open("w") as held, (tmp_path / "lock").open("w") as other:
        fcntl.flock(held, fcntl.LOCK_EX)
        in_child(lambda: fcntl.flock(held, fcntl.LOCK_UN))
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _mapped(path):
    path.write_bytes(bytes(64))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


def _memmap(path):
    return np.memmap(path, dtype="f4", mode="w+", shape=(10,))


def _unlinked(path):
    found = np.memmap(path, dtype="f4", mode="w+", shape=(5000,))
    path.unlink()
    return found


@pytest.mark.parametrize(
    ("made", "held"),
    [
        (_mapped, 0),
        (_memmap, 0.0),
        (_unlinked, 0.0),
        (lambda _: mmap.mmap(-1, 9000), 0),
        (lambda _: torch.zeros(3).share_memory_(), 0.0),
        (lambda _: multiprocessing.Array("i", 3), 0),
    ],
    ids=["mmap", "memmap", "unlinked", "anonymous", "tensor", "array"],
)
def test_shared_memory_is_a_copy(tmp_path, made, held):
    memory = made(tmp_path / "file")
    memory[1] = 7

    def act():
        before = [float(memory[0]), float(memory[1])]
        memory[0] = 5
        return [*before, float(memory[0])]

    assert in_child(act) == [0.0, 7.0, 5.0]
    assert [memory[0], memory[1]] == [held, 7]


def test_memory_too_large_to_copy_cannot_be_written(monkeypatch):
    monkeypatch.setattr("wellshaped.execute.forked.mappings.MOST", 4096)
    memory = mmap.mmap(-1, 9000)
    assert in_child(lambda: memory[0]) == 0
    child = begin(lambda _: memory.write(b"x"), seconds=20)
    end(child)
    assert (child.how, child.reason) == ("died", "segmentation fault (SIGSEGV)")
    assert memory[0] == 0


def test_a_lock_that_the_child_takes_is_free_for_its_parent():
    lock = multiprocessing.get_context("fork").Lock()
    in_child(lambda: lock.acquire() and None)
    assert lock.acquire(timeout=5)


def test_a_segment_of_somebody_else_is_copied_and_stays():
    mine = SharedMemory(create=True, size=8)

    def act():
        theirs = SharedMemory(name=mine.name)
        before = theirs.buf[0]
        theirs.buf[0] = 9
        theirs.unlink()
        return before

    try:
        mine.buf[0] = 3
        assert in_child(act) == 3
        assert mine.buf[0] == 3
        SharedMemory(name=mine.name).close()
    finally:
        mine.close()
        mine.unlink()


def test_a_writer_of_tensorboard_flushes_in_a_child(tmp_path):
    writers = pytest.importorskip("torch.utils.tensorboard")
    writer = writers.SummaryWriter(str(tmp_path))
    threads = running_writers()
    assert len(threads) == 1

    def act():
        start_again(threads)
        writer.add_scalar("loss", 1.0, 1)
        writer.flush()
        return threading.active_count()

    assert in_child(act) == 2
    writer.close()
