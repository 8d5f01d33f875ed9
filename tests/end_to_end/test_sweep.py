"""`check` on programs that make their batches by hand: which sizes are tried, what is told."""

import textwrap
from pathlib import Path

import pytest

from wellshaped.execute.program import Program
from wellshaped.pipeline.check import Outcome, check
from wellshaped.report.formats.machine import reason

NAMED = """
import torch
from torch import nn
torch.manual_seed(0)
batch_size = 16
rows, labels = torch.randn(96, 5), torch.randn(96)
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(40):
    for start in range(0, 96, batch_size):
        x, y = rows[start : start + batch_size], labels[start : start + batch_size]
        loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(), y.sigmoid())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
LITERAL = """
import torch
from torch import nn
x, y = torch.randn(8, 5), torch.randint(0, 3, (8,))
model = nn.Linear(5, 3)
loss = nn.functional.cross_entropy(model(x).squeeze(), y)
loss.backward()
"""
ARGUMENT = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=12)
size = parser.parse_args().batch_size
model = torch.nn.Linear(4, 1)
loss = torch.nn.BCEWithLogitsLoss()(model(torch.randn(size, 4)).squeeze(), torch.ones(size))
"""
COUPLED = """
import torch
batch_size = 4
model = torch.nn.Linear(2, 1)
target = torch.tensor([0.0, 1.0, 0.0, 1.0])
loss = torch.nn.MSELoss()(model(torch.randn(batch_size, 2)).squeeze(1), target)
"""
HIDDEN = """
import torch
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(17, 6, 3), torch.randn(17))
rnn, head = torch.nn.GRU(3, 5, batch_first=True), torch.nn.Linear(5, 1)
for x, y in DataLoader(data, batch_size=4, drop_last=True):
    out, _ = rnn(x, torch.zeros(1, 4, 5))
    torch.nn.functional.mse_loss(head(out[:, -1]).squeeze(1), y).backward()
"""

CROSSED = Path(__file__).parents[1] / "cases" / "volume_widths_crossed" / "broken.py"


def checked(folder: Path, text: str, *arguments: str, sizes: tuple[int, ...] = ()) -> Outcome:
    program = folder / "program.py"
    program.write_text(textwrap.dedent(text))
    return check(Program(str(program), arguments), batch_sizes=sizes)


def sizes_of(outcome: Outcome) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    return [
        (each.diagnosis.finding.severity, each.swept.fails, each.swept.holds)
        for each in outcome.report.findings
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        (NAMED, (), ("warning", (1,), (2, 3, 16))),
        (LITERAL, (), ("warning", (1,), (2, 4, 8))),  # not 3: that is the number of classes
        pytest.param(
            *(ARGUMENT, (), ("warning", (1,), (2, 3, 12))), marks=pytest.mark.nightly
        ),  # the next one has the same and more
        (ARGUMENT, ("--batch-size", "7"), ("warning", (1,), (2, 3, 7))),
    ],
    ids=["a name", "sizes of data", "a default of argparse", "the command line"],
)
def test_a_batch_made_by_hand_is_swept(
    tmp_path: Path,
    text: str,
    arguments: tuple[str, ...],
    expected: tuple[str, tuple[int, ...], tuple[int, ...]],
) -> None:
    assert sizes_of(checked(tmp_path, text, *arguments)) == [expected]


@pytest.mark.slow
def test_sizes_can_be_asked_for(tmp_path: Path) -> None:
    assert sizes_of(checked(tmp_path, NAMED, sizes=(1, 5))) == [("warning", (1,), (5, 16))]


@pytest.mark.slow
def test_a_number_that_cannot_be_turned_alone_is_told_and_is_no_fault(tmp_path: Path) -> None:
    outcome = checked(tmp_path, COUPLED)
    assert {severity for severity, _, _ in sizes_of(outcome)} == {"note"}
    assert [(each.code, each.line) for each in outcome.report.not_checked] == [("WS904", 3)]


@pytest.mark.slow
def test_a_size_that_another_axis_has_may_hold_by_chance(tmp_path: Path) -> None:
    text = COUPLED.replace("Linear(2, 1)", "Linear(4, 1)").replace("batch_size, 2", "batch_size, 4")
    assert {severity for severity, _, _ in sizes_of(checked(tmp_path, text))} == {"warning"}


@pytest.mark.slow
def test_a_program_made_for_one_size_that_drops_the_rest_is_only_noted(tmp_path: Path) -> None:
    found = sizes_of(checked(tmp_path, HIDDEN))
    assert [severity for severity, _, _ in found] == ["note"]
    partial = checked(tmp_path, HIDDEN.replace(", drop_last=True", ""))
    assert [severity for severity, _, _ in sizes_of(partial)] == ["error"]


@pytest.mark.slow
def test_lines_that_were_not_reached_are_listed(tmp_path: Path) -> None:
    text = (
        LITERAL.replace(".squeeze()", "")
        + "if loss > 1e9:\n    print(model(x) @ x)\n    y = x[0]\n"
    )
    outcome = checked(tmp_path, text)
    notes = [(each.code, each.line, reason(each)) for each in outcome.report.not_checked]
    assert notes == [("WS905", 9, "up to line 10 not reached")]
    assert outcome.report.findings == ()


@pytest.mark.slow
def test_a_program_that_stops_tells_that_the_rest_was_not_reached(tmp_path: Path) -> None:
    outcome = checked(tmp_path, LITERAL.replace("(8,)", "(7,)") + "print(loss)\n")
    assert ("WS905", 6) in [(each.code, each.line) for each in outcome.report.not_checked]


@pytest.mark.slow
def test_a_program_that_gives_up_was_not_checked(tmp_path: Path) -> None:
    assert checked(tmp_path, ARGUMENT, "--batches", "7").failure == "SystemExit: 2"
    assert checked(tmp_path, "raise SystemExit(0)").failure == ""


@pytest.mark.slow
def test_a_table_of_pairs_that_stops_the_program_later_is_one_fault_at_all_sizes() -> None:
    outcome = check(Program(str(CROSSED)), batch_sizes=(2, 5))
    (found,) = outcome.report.findings
    finding = found.diagnosis.finding
    assert (finding.code, finding.observation.passage.place.line) == ("WS302", 16)
    assert {2, 5, 8} <= set(found.swept.fails)
