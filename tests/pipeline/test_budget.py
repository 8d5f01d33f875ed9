"""A budget of CPU seconds: waiting is free, work in threads and children is not."""

import pytest

from tests.repeated import few
from wellshaped.execute.forked import meter
from wellshaped.execute.program import Program
from wellshaped.pipeline.check import check
from wellshaped.records.status import status_of
from wellshaped.report.summary import render

pytestmark = pytest.mark.slow

HAZARD = """\
import threading, time
import torch
model = torch.nn.Linear(3, 1)
torch.nn.functional.mse_loss(model(torch.ones(4, 3)), torch.ones(4))
"""
WAITS = {
    "sleeps": "time.sleep(1000)",
    "deadlock": "lock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "never ready": "while True:\n    time.sleep(0.05)",
}
WORKS = {
    "in the program": "while True:\n    pass",
    "in a thread": "def work():\n    while True:\n        pass\n"
    "threading.Thread(target=work, daemon=True).start()\ntime.sleep(1000)",
    "catching everything": "try:\n    while True:\n        pass\nexcept BaseException:\n    pass",
}


def checked(tmp_path, rest, budget):
    path = tmp_path / "train.py"
    path.write_text(f"{HAZARD}{rest}\n")
    return check(Program(str(path)), batch_sizes=(2,), budget=budget)


def notes(outcome):
    return [(each.code, each.reason.name) for each in outcome.report.not_checked]


def test_a_program_that_sleeps_longer_than_its_budget_is_seen_to_its_end(tmp_path):
    outcome = checked(tmp_path, "time.sleep(4)", budget=3.0)
    assert outcome.own.ended == "ended"
    assert outcome.own.seconds < 3.0


@pytest.mark.parametrize("rest", few(WAITS.values(), WAITS["deadlock"]), ids=WAITS)
def test_one_that_waits_for_ever_is_ended_and_its_findings_stay(tmp_path, monkeypatch, rest):
    monkeypatch.setattr(meter, "_WAIT", 1.0)
    outcome = checked(tmp_path, rest, budget=5.0)
    assert ("WS901", "waited_own") in notes(outcome)
    assert outcome.report.runs[0].ended == "waited"
    assert status_of(outcome.report) == 3
    said = render(outcome.report).splitlines()[0]
    assert said.startswith("its own batch size: little CPU time used for too long: ")
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]


@pytest.mark.parametrize("rest", few(WORKS.values(), WORKS["in a thread"]), ids=WORKS)
def test_one_that_works_for_ever_has_spent_its_budget(tmp_path, rest):
    outcome = checked(tmp_path, rest, budget=3.0)
    assert ("WS901", "late_own") in notes(outcome)
    assert outcome.report.runs[0].ended == "late"
    assert status_of(outcome.report) == 3
    assert render(outcome.report).startswith("its own batch size: out of budget: ")
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]
