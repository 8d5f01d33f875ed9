"""Jobs are done in another process: what they say comes back, and so does why they could not."""

import asyncio
from pathlib import Path

import pytest

from wellshaped.execute.program import Program
from wellshaped.integrations.jobs import Job, carried_out
from wellshaped.records.phrase import UserError


def done(job: Job):
    return asyncio.run(asyncio.wait_for(carried_out(job), 120))


@pytest.mark.slow
def test_a_file_of_the_program_does_not_stand_in_for_one_of_ours(tmp_path: Path) -> None:
    for name in ("dataclasses.py", "pickle.py", "wellshaped.py"):
        (tmp_path / name).write_text("raise SystemExit('imported by mistake')\n")
    found = done(Job("explain", folder=str(tmp_path), text="WS301"))
    assert found.data == {"codes": ["WS301"]}


@pytest.mark.slow
def test_a_process_that_dies_is_told(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("wellshaped.integrations.jobs._START", "import os; os.kill(os.getpid(), 9)")
    with pytest.raises(UserError, match=r"WS962.*status -9"):
        done(Job("check", Program("train.py"), str(tmp_path)))


@pytest.mark.slow
def test_what_else_a_process_writes_is_not_believed(monkeypatch, tmp_path: Path) -> None:
    start = "import os, pickle; os.write({writing}, pickle.dumps(print) * 9)"
    monkeypatch.setattr("wellshaped.integrations.jobs._START", start)
    with pytest.raises(UserError, match="WS962"):
        done(Job("explain", folder=str(tmp_path), text="WS301"))


@pytest.mark.slow
def test_the_records_of_a_job_come_back(tmp_path: Path) -> None:
    text = "import torch\ntorch.nn.functional.mse_loss(torch.zeros(4, 1), torch.zeros(4))\n"
    (tmp_path / "train.py").write_text(text)
    found = done(Job("fix", Program("train.py"), str(tmp_path)))
    assert found.fixed is not None
    assert found.report == found.fixed.report
    assert [each.diagnosis.finding.code for each in found.fixed.report.findings] == ["WS301"]
    assert found.data["program"] == "train.py"


@pytest.mark.slow
def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="WS930"):
        done(Job("fix", Program("train.py"), str(tmp_path), apply=True))
