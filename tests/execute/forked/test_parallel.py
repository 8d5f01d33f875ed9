"""Tasks in forked children: results in order, the best ends the rest, nothing is left behind."""

import os
import tempfile
import time
from contextlib import closing

from wellshaped.execute.forked.parallel import run_forked


def numbered(number, seconds=0.0):
    def task():
        time.sleep(seconds)
        return number

    return task


def test_results_come_in_order_whoever_is_first():
    tasks = [numbered(0, 0.3), numbered(1), numbered(2)]
    assert list(run_forked(tasks, seconds=20, width=3)) == [0, 1, 2]


def test_a_task_that_dies_or_is_late_gives_nothing(monkeypatch):
    monkeypatch.setattr("wellshaped.execute.forked.meter._WAIT", 0.0)

    def dies():
        os._exit(3)

    def raises():
        raise KeyError("lost")

    found = list(run_forked([dies, raises, numbered(7)], seconds=20))
    assert found == [None, None, 7]
    assert list(run_forked([numbered(0, 100_000)], seconds=0.5)) == [None]


def test_closing_ends_the_rest_and_their_children_and_leaves_no_trace(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    note = tmp_path / "note"

    def slow():
        tempfile.mkdtemp()
        if os.fork() == 0:  # a child of the child
            time.sleep(2)
            note.write_text("still here")
            os._exit(0)
        time.sleep(60)

    with closing(run_forked([numbered(1, 0.2), slow], seconds=90, width=2)) as results:
        assert next(results) == 1
    time.sleep(2.5)
    assert list(tmp_path.iterdir()) == []


def test_no_more_run_at_once_than_asked(tmp_path):
    def task():
        mark = tmp_path / str(os.getpid())
        mark.touch()
        until = time.monotonic() + 3
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.1)
        seen = len(list(tmp_path.iterdir()))
        mark.unlink()
        return seen

    assert max(filter(None, run_forked([task] * 4, seconds=30, width=2))) == 2
