"""`wellshaped train reward` and `wellshaped score` as their users see them."""

import io
import json
import re

import pytest

from tests.train.reward.runs import save_decoder, write_rows
from wellshaped.cli import main

LINES = [
    {"prompt": "Is water wet? ", "chosen": "Yes.", "rejected": "No."},
    {"prompt": "Is water wet? ", "chosen": "Yes.", "rejected": ""},
    {"prompt": "Two plus two? ", "chosen": "Four.", "rejected": "Four."},
]


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, data, and the result of one short run."""
    made = tmp_path_factory.mktemp("reward")
    save_decoder(made / "model")
    write_rows(made / "rows.jsonl", 60)
    given = ["--model", str(made / "model"), "--data", str(made / "rows.jsonl")]
    rate = ["--learning-rate", "0.002", "--batch", "8"]
    assert main(["train", "reward", *given, *rate, "--out", str(made / "out")]) == 0
    return made


def test_help_names_every_option(capsys):
    assert main(["train", "reward", "--help"]) == 0
    shown = capsys.readouterr().out
    for name in ("model", "data", "held-out", "pooling", "loss", "margin", "lora", "freeze"):
        assert f"--{name}" in shown
    for name in ("checkpointing", "resume", "precision", "accumulate", "track", "patience"):
        assert f"--{name}" in shown
    assert main(["score", "--help"]) == 0
    assert "`chosen_reward`" in capsys.readouterr().out


def test_without_anything_it_learns_generated_reviews(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "reward", "--steps", "80", "--report", "report.html"]) == 0
    shown = capsys.readouterr()
    accuracy = float(re.findall(r"best at step \d+: .*accuracy (\S+)", shown.out)[0])
    assert accuracy > 0.9
    assert "pairs to train on: 1600" in shown.err
    made = {each.name for each in (tmp_path / "reward-model").iterdir()}
    assert {"curves.png", "curves.svg", "config.json"} <= made
    assert "length_bias" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_bad_rows_are_told_by_line_before_anything_is_trained(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    assert main(["train", "reward", "--data", str(path), "--out", str(tmp_path / "out")]) == 2
    shown = capsys.readouterr().err
    assert "rows.jsonl:2: has an empty `rejected`" in shown
    assert "rows.jsonl:3: has the same answer as `chosen` and as `rejected`" in shown
    assert "error[WS984]: 2 of 3 rows cannot be trained on" in shown
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["--data", "nothing.jsonl"], "WS980"),
        (["--model", "/no/such/model"], "WS993"),
        (["--learning-rate", "-1"], "WS988"),
        (["--lora", "--freeze"], "WS988"),
        (["--pooling", "first"], "WS932"),
        (["--track", "paper"], "WS988"),
    ],
)
def test_what_cannot_be_done_is_one_line_with_a_code(tmp_path, monkeypatch, capsys, given, code):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "reward", *given]) == 2
    assert capsys.readouterr().err.startswith(f"error[{code}]: ")


def test_score_reads_files_and_writes_each_row_with_its_rewards(folder, capsys):
    assert main(["score", "--model", str(folder / "out"), str(folder / "rows.jsonl")]) == 0
    given = (folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(found) == len(given) == 60
    for line, row in zip(given, found, strict=True):
        assert isinstance(row.pop("chosen_reward"), float)
        assert isinstance(row.pop("rejected_reward"), float)
        assert row == json.loads(line)


def test_score_reads_standard_input_and_tells_rows_without_reward(folder, capsys, monkeypatch):
    text = 'the soup was fine .\n{"text": "the soup was poor ."}\n{"nothing": 1}\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["score", "--model", str(folder / "out"), "--batch", "2"]) == 1
    shown = capsys.readouterr()
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert [sorted(row) for row in rows] == [["reward", "text"]] * 2 + [["nothing", "reward"]]
    assert rows[2]["reward"] is None
    assert "-:3: has no text to score" in shown.err


def test_score_needs_a_model_with_a_head(folder, capsys):
    assert main(["score", "--model", str(folder / "model")]) == 2
    assert "error[WS993]" in capsys.readouterr().err
    assert main(["score", "--model", str(folder / "nothing"), "x.jsonl"]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_csv_is_scored_too(folder, tmp_path, capsys):
    path = tmp_path / "texts.csv"
    path.write_text("prompt,response\nreview :, fine .\n", encoding="utf-8")
    assert main(["score", "--model", str(folder / "out"), str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["response"] == " fine ."
