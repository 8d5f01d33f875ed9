"""The comparison of runs sees a difference in status, output or weights, and tells it."""

from pathlib import Path

import pytest

from benchmarks.transparency import Row, compared, markdown, run

TRAINS = """\
import sys, torch
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([weight], 0.5)
weight.sum().backward()
optimizer.step()
if "wellshaped" in sys.modules and {told}:
    print("seen")
"""


@pytest.mark.slow
def test_weights_are_witnessed_and_a_difference_is_told(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    same, other = (tmp_path / "package" / name for name in ("same.py", "other.py"))
    same.write_text(TRAINS.format(told=False))
    other.write_text(TRAINS.format(told=True))
    row = compared(same, tmp_path, 60)
    assert (row.script, row.steps, row.differs, row.reason) == ("same.py", 1, (), "")
    assert compared(other, tmp_path, 60).differs == ("stdout",)
    halved = run(same, (), tmp_path, 60)
    same.write_text(TRAINS.format(told=False).replace("0.5", "0.25"))
    assert run(same, (), tmp_path, 60).weights != halved.weights


def test_the_table_names_what_could_not_be_compared() -> None:
    rows = [Row("a.py", 3, (), "quiet"), Row("b.py", 0, (), "", "trains nothing here")]
    assert markdown(rows).splitlines()[2:] == [
        "| a.py | 3 | the same | quiet |",
        "| b.py | 0 | trains nothing here |  |",
    ]
