"""The dry run of reward training: its own step, in a program that check can see into."""

import pytest

from tests.train.dry import checked
from tests.train.reward.runs import save_decoder, write_rows
from wellshaped.cli import main
from wellshaped.records.phrase import Told
from wellshaped.train.events import discard
from wellshaped.train.reward.dry import program_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dry")
    model, rows = save_decoder(folder / "model"), write_rows(folder / "rows.jsonl", 30)
    return program_text(model, [rows], skip=False, tell=discard, batch=8)


def test_the_step_is_clean_at_every_batch_size(tmp_path, text):
    outcome = checked(tmp_path, text)
    assert not outcome.failure
    assert outcome.report.findings == ()
    assert {1, 8} <= set(outcome.met)
    assert len(outcome.met) >= 3


def test_a_fault_in_the_step_is_found(tmp_path, text):
    first = text.index("    loss = preference_loss(")
    last = text.index("    loss.backward()")
    wrong = "    import torch\n    one = torch.ones(1)\n"
    wrong += "    loss = torch.nn.functional.margin_ranking_loss(chosen, rejected, one)\n"
    outcome = checked(tmp_path, text[:first] + wrong + text[last:])
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]


def test_bad_rows_are_told_before(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"chosen": "a", "rejected": ""}\n', encoding="utf-8")
    with pytest.raises(Told, match="WS984"):
        program_text(None, [rows], skip=False, tell=discard)


def test_the_command_trains_nothing_and_leaves_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("wellshaped.cli.train.dry.dry_run", lambda text, _: print(text) or 0)
    assert main(["train", "reward", "--dry-run", "--batch", "4", "--lang", "en"]) == 0
    assert "batch_size=4" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
