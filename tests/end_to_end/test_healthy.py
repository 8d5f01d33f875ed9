"""`check` says nothing about working programs: tests/healthy holds many kinds of them."""

from pathlib import Path

import pytest

from wellshaped.execute.program import Program
from wellshaped.pipeline.check import Outcome, check

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent.parent
# A program is a file, or a folder whose train.py is run.
PROGRAMS = sorted(
    [*(TESTS / "healthy").glob("*.py"), *(TESTS / "healthy").glob("*/train.py")], key=str
)
# Healthy programs that one row stops by what it computes, and those rows: no spread of one value.
_STOPS = {"rl_grpo_ended.py": [1]}


def checked(program: Path, sizes: tuple[int, ...] = ()) -> Outcome:
    return check(Program(str(program)), batch_sizes=sizes, budget=240)


def noise(outcome: Outcome) -> list[str]:
    found = [each.diagnosis.finding for each in outcome.report.findings]
    places = [(finding, finding.observation.passage.place.line) for finding in found]
    said = [
        f"{finding.severity} {finding.code} line {line}"
        for finding, line in places
        if finding.severity != "note"
    ]
    stopped = [run for run in outcome.report.runs if not run.complete]
    known = _STOPS.get(Path(outcome.report.program).name, [])
    return said + [str(run) for run in stopped if run.batch not in known or run.ended != "stopped"]


@pytest.mark.parametrize(
    "sizes", [(1,), pytest.param((), marks=pytest.mark.nightly)], ids=["one row", "every size"]
)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_a_healthy_program_is_not_spoken_of(program, sizes):
    outcome = checked(program, sizes)
    assert (outcome.own.ended, outcome.failure, noise(outcome)) == ("ended", "", [])


def test_there_are_many_kinds():
    assert len(PROGRAMS) >= 44


def test_a_fault_would_be_heard():
    assert noise(checked(TESTS / "cases" / "silent_mse_column_loader" / "broken.py"))
