"""The dry run of a task: its own step, in a program that check can see into."""

from pathlib import Path

import pytest

from tests.train.dry import checked
from wellshaped.train.tasks.dry import program_text
from wellshaped.train.tasks.fit import Plan, default_settings


def text_of(kind: str) -> str:
    plan = Plan(kind=kind, batch=16)
    return program_text(plan, default_settings(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classify", "seq2seq"])
def test_the_step_is_clean_at_every_batch_size(tmp_path: Path, kind: str) -> None:
    outcome = checked(tmp_path, text_of(kind))
    assert not outcome.failure
    assert outcome.report.findings == ()
    assert {1, 16} <= set(outcome.met)
    assert len(outcome.met) >= 3


@pytest.mark.slow
def test_a_fault_in_the_step_is_found(tmp_path: Path) -> None:
    text = text_of("regress")
    call = "loss = task.loss(outputs, batch.targets, batch.real)"
    assert call in text
    wrong = (
        "import torch\n    loss = torch.nn.functional.mse_loss(outputs, batch.targets.squeeze(1))"
    )
    outcome = checked(tmp_path, text.replace(call, wrong))
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]
