"""A budget counts the CPU time of a program and its children, and no time in which it waits."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from wellshaped.execute.forked import meter
from wellshaped.execute.forked.child import begin, end
from wellshaped.execute.forked.clock import TimeUp, limited

BURN = "while True: pass"


def burn() -> None:
    while True:
        pass


def in_a_thread() -> None:
    threading.Thread(target=burn, daemon=True).start()
    time.sleep(100)


def in_children_that_end() -> None:
    while True:
        subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=False)


def in_a_worker() -> None:
    worker = multiprocessing.get_context("fork").Process(target=burn, daemon=True)
    worker.start()
    worker.join()


def with_its_own_alarm() -> None:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    signal.setitimer(signal.ITIMER_PROF, 0)
    burn()


def catching_everything() -> None:
    try:
        burn()
    except:  # noqa: E722 - as some programs do
        print("interrupted")


def observed(work, seconds):
    """What the work came to in a child: "late", "ended"; with the child."""

    def limited_work(_: Path) -> str:
        with contextlib.suppress(TimeUp), limited(seconds) as bell:
            work()
        for child in multiprocessing.active_children():
            child.kill()
        return "late" if bell.rung else "ended"

    child = begin(limited_work, seconds=seconds)
    return end(child), child


@pytest.mark.parametrize(
    "work",
    [burn, in_a_thread, in_children_that_end, in_a_worker, with_its_own_alarm, catching_everything],
)
def test_cpu_time_counts_wherever_it_is_used(work, monkeypatch):
    monkeypatch.setattr(meter, "_WAIT", 1000.0)
    how, child = observed(work, 0.4)
    assert (how, child.meter.rung, child.meter.waited) == ("late", True, False)
    assert child.meter.spent > 0.4


@pytest.mark.parametrize("start", ["fork", "command"])
def test_so_does_that_of_a_child_that_is_still_at_work(start, monkeypatch):
    monkeypatch.setattr(meter, "_WAIT", 1000.0)

    def work() -> None:
        command = [sys.executable, "-c", BURN]
        pid = os.fork() if start == "fork" else subprocess.Popen(command).pid
        if pid == 0:
            burn()
        try:
            os.waitpid(pid, 0)
        finally:
            os.kill(pid, signal.SIGKILL)

    how, child = observed(work, 0.4)
    assert (how, child.meter.waited) == ("late", False)


def test_time_in_which_a_program_sleeps_does_not_count():
    how, child = observed(lambda: time.sleep(1.5), 0.2)
    assert (how, child.meter.rung) == ("ended", False)


@pytest.mark.parametrize("wait", [lambda: time.sleep(1000), threading.Event().wait])
def test_a_program_that_waits_for_ever_is_ended(wait, monkeypatch):
    monkeypatch.setattr(meter, "_WAIT", 0.3)
    how, child = observed(wait, 0.2)
    assert (how, child.meter.waited) == ("late", True)


def test_so_is_one_that_does_a_little_from_time_to_time(monkeypatch):
    monkeypatch.setattr(meter, "_TIMES", 1.0)
    monkeypatch.setattr(meter, "_MORE", 0.5)
    monkeypatch.setattr(meter, "_WORKING", 0.0)

    def work() -> None:
        while True:
            time.sleep(0.05)
            sum(range(100_000))

    how, child = observed(work, 0.5)
    assert (how, child.meter.waited) == ("late", True)


def test_one_that_does_not_listen_is_ended_without_a_result(monkeypatch):
    monkeypatch.setattr(meter, "_GRACE", 0.2)

    def work() -> None:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        burn()

    how, child = observed(work, 0.2)
    assert (how, child.meter.rung) == (None, True)


def test_where_no_process_is_shown_the_child_counts_itself(monkeypatch, tmp_path):
    monkeypatch.setattr(meter, "_PROCESSES", tmp_path)
    how, child = observed(burn, 0.3)
    assert (how, child.meter.rung, child.meter.spent) == ("late", False, 0.0)


def test_a_program_may_have_any_name(tmp_path, monkeypatch):
    text = "7 (a) b (c) R " + " ".join(["0"] * 10 + ["100", "20", "3", "4"] + ["0"] * 30)
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "stat").write_text(text)
    monkeypatch.setattr(meter, "_PROCESSES", tmp_path)
    assert meter._own(7) == 127 / os.sysconf("SC_CLK_TCK")
