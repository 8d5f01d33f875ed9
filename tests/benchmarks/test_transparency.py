"""The comparison of runs sees a difference in status, output or weights, and tells it."""

from pathlib import Path

import pytest

from benchmarks.transparency.made import make
from benchmarks.transparency.page import Part, page
from benchmarks.transparency.runs import (
    OURS,
    PARTS,
    Outcome,
    Place,
    Row,
    Script,
    agreement,
    compared,
    judged,
    run,
    ticking,
)

TRAINS = """\
import sys, time, torch
weight = torch.nn.Parameter(torch.rand(2))
optimizer = torch.optim.SGD([weight], 0.5)
weight.sum().backward()
optimizer.step()
print(f"loss {weight.sum().item():.6f} after {time.perf_counter_ns()} ns")
"""
TOLD = """\
if "wellshaped" in sys.modules:
    optimizer.step()
    sys.exit("seen")
"""


@pytest.mark.slow
def test_a_run_without_a_seed_is_the_same_twice_but_for_its_clock(tmp_path: Path) -> None:
    row = compared(Script("same.py"), _place(tmp_path, TRAINS))
    assert (row.steps, row.differs, row.clocks, row.check, row.reason) == (1, (), 1, (), "")


@pytest.mark.slow
def test_a_difference_is_told(tmp_path: Path) -> None:
    place, script = _place(tmp_path, TRAINS + TOLD), Script("same.py")
    plain, ours = run(script, (), place), run(script, OURS, place)
    assert agreement(Row("same.py"), plain, ours, lambda: plain).differs == PARTS


def _place(folder: Path, program: str) -> Place:
    (folder / "tree").mkdir()
    (folder / "tree" / "same.py").write_text(program)
    return Place(folder / "tree", folder / "stage", seconds=60)


def test_what_is_random_by_itself_is_not_blamed_on_the_tool() -> None:
    runs = [Outcome(0, "", f"1 {each}") for each in "abc"]
    row = agreement(Row("a.py"), runs[0], runs[1], lambda: runs[2])
    assert row.differs == ("weights (differs between two plain runs too)",)
    assert agreement(Row("a.py"), runs[0], runs[1], lambda: runs[0]).differs == ("weights",)


def test_only_numbers_that_no_two_runs_share_are_clocks() -> None:
    assert ticking("loss 0.5, 3.2 s", "loss 0.5, 4.7 s", "loss 0.5,  11.9 s") == 1
    assert ticking("1 s\n2 s\nloss 5", "1 s\n3 s\nloss 5", "4 s\n2 s\nloss 5") == 2
    assert ticking("loss 0.5, 3.2 s", "loss 0.5, 4.7 s", "loss 0.6, 11.9 s") == 0
    assert ticking("loss 0.5, 3.2 s", "loss 0.5, 4.7 s", "loss 0.5, 11.9 s\nmore") == 0
    assert ticking("1 %\r9 % in 3 s\nend", "9 % in 5 s\nend", "2 %\r5 %\r9 % in 4 s\nend") == 1
    assert ticking("done a", "done b", "done c") == 0


def test_a_finding_is_told_with_what_is_known_of_it() -> None:
    row, script = Row("a.py", check=("WS507 at a.py:3",)), Script("a.py", known={"WS507": "true"})
    assert judged(row, script).check == ("WS507 at a.py:3: true",)
    assert judged(row, Script("a.py")).check == ("WS507 at a.py:3: not judged yet",)


def test_made_up_pictures_have_the_format_of_the_data_set(tmp_path: Path) -> None:
    make("mnist:data", tmp_path, tmp_path)
    raw = tmp_path / "data" / "MNIST" / "raw"
    pictures = (raw / "train-images-idx3-ubyte").read_bytes()
    labels = (raw / "train-labels-idx1-ubyte").read_bytes()
    assert pictures[:4] == bytes([0, 0, 8, 3])
    assert labels[:4] == bytes([0, 0, 8, 1])
    assert len(pictures) - 16 == 28 * 28 * (len(labels) - 8)
    assert set(labels[8:]) == set(range(10))


def test_the_page_counts_what_agrees_and_names_what_could_not_be_compared() -> None:
    rows = (
        Row("a.py", ("--epochs=1",), ("mnist:data",), steps=3, seconds=(1.2, 1.3, 4.0)),
        Row("b.py", steps=3, differs=("stdout",), check=("WS301 at b.py:3: true",)),
        Row("c.py", reason="trains nothing"),
    )
    own = Part("this repository", (Row("d.py", status=1, clocks=2),))
    text = page([Part("pack 1.0", rows)], own, without=("none 2.0",), seconds=120)
    assert "**2 of 3 ran the same both ways**: 2 scripts of 1 packages and 1 programs" in text
    started = "| pack 1.0 | `a.py --epochs=1`, made-up MNIST | 3 |"
    assert f"{started} same | quiet | 1, 1, 4 |" in text
    assert "| `b.py` | 3 | differs: stdout | WS301 at b.py:3: true |  |" in text
    assert "| this repository | `d.py` | 0 | same, status 1, clocks left out: 2 | quiet |" in text
    assert "| pack 1.0 | `c.py` | trains nothing |" in text
    assert "none 2.0." in text
