"""`wellshaped train`: each task end to end, bad data, dry run, predictions, interrupts."""

import json
import os
import signal
from pathlib import Path

import pytest
import torch

from wellshaped.cli import main
from wellshaped.train.tasks.generated_rows import generate_rows

QUICK = ("--steps", "3", "--batch", "8", "--width", "8")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def data(kind: str, count: int = 40, name: str = "data.jsonl") -> str:
    rows = generate_rows(kind, rows=count, seed=0)
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


@pytest.mark.parametrize("kind", ["classify", "regress", "multilabel", "tag", "seq2seq"])
def test_each_task_trains_and_predicts(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", kind, "--data", data(kind), *QUICK]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("finished after 3 steps\nbest at step 3: loss ")
    assert shown.out.endswith(f"saved to {kind}-run\n")
    assert "step 3/3  [####################]  loss " in shown.err
    assert main(["train", kind, "--predict", "data.jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 40
    assert all("prediction" in line for line in lines)


def test_a_csv_with_other_columns_and_a_file_for_validation(capsys) -> None:
    rows = generate_rows("multilabel", rows=30, seed=0)
    for name in ("a.csv", "b.csv"):
        lines = [f"{row['text']},{'|'.join(row['labels'])}" for row in rows]
        Path(name).write_text("\n".join(["words,topics", *lines]), encoding="utf-8")
    options = ["--text", "words", "--target", "topics", "--held-out", "b.csv"]
    assert main(["train", "multilabel", "--data", "a.csv", *options, *QUICK]) == 0
    assert "micro_f1" in capsys.readouterr().out


def test_without_data_rows_are_generated(capsys) -> None:
    assert main(["train", "classify", *QUICK]) == 0
    assert main(["train", "classify", "--data", "generated", "--out", "b", *QUICK]) == 0
    first, second = (Path(name, "model.safetensors").read_bytes() for name in ("classify-run", "b"))
    assert first == second
    capsys.readouterr()


def test_bad_rows_are_told_by_line_before_training(capsys) -> None:
    name = data("regress", 20)
    with open(name, "a", encoding="utf-8") as file:
        file.write(
            '{"text": "a", "target": "many"}\n{"text": "", "target": 1}\nno\n{"text": "a"}\n'
        )
    assert main(["train", "regress", "--data", name, *QUICK]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "data.jsonl:21: `target` is not a finite number: many",
        "data.jsonl:22: `text` is empty",
        "data.jsonl:23: is not JSON, from column 1 on",
        "data.jsonl:24: has no `target`",
        "4 of 24 rows are bad",
        "error[WS984]: 4 of 24 rows cannot be trained on; `--skip-bad-rows` leaves them out",
    ]
    assert not Path("regress-run/checkpoints").exists()
    assert main(["train", "regress", "--data", name, "--skip-bad-rows", *QUICK]) == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["classify", "--data", "none.csv"], "error[WS980]: cannot open the data `none.csv`"),
        (
            ["classify", "--predict", "x.csv"],
            "error[WS986]: `classify-run` holds no trained result",
        ),
        (["classify", "--epochs", "0"], "error[WS988]: `epochs` is a number from 1 on, not 0"),
        (["classify", "--epochs", "x"], "error[WS932]: argument --epochs: invalid int value: 'x'"),
        (["juggle"], "error[WS932]: argument KIND: invalid choice: 'juggle'"),
    ],
)
def test_what_cannot_be_is_one_line_and_status_2(arguments, line: str, capsys) -> None:
    assert main(["train", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(line)
    assert shown.err.count("\n") == 1


def test_without_its_packages_the_extra_is_named(monkeypatch, capsys) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["train", "tag", *QUICK]) == 2
    error = "error[WS961]: `accelerate` is not installed: `pip install 'wellshaped[train]'`"
    assert capsys.readouterr().err == f"{error}\n"


def test_it_speaks_other_languages(capsys) -> None:
    assert main(["train", "tag", "--lang", "es", *QUICK]) == 0
    assert capsys.readouterr().out.startswith("terminado tras 3 pasos\nmejor en el paso 3: ")


def test_an_interrupt_ends_with_130_and_a_run_that_goes_on(capsys, monkeypatch) -> None:
    from wellshaped.report.training import ProgressLine

    def interrupt(self: ProgressLine, step) -> None:
        if step.step == 2:
            os.kill(os.getpid(), signal.SIGINT)

    command = ["train", "tag", *QUICK, "--steps", "6"]
    assert main([*command, "--out", "whole"]) == 0
    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "__call__", interrupt)
        assert main([*command, "--out", "cut"]) == 130
    assert "interrupted after 3 steps; `--resume`" in capsys.readouterr().out
    assert main([*command, "--out", "cut"]) == 2, "not by accident"
    assert main([*command, "--out", "cut", "--resume"]) == 0
    first, second = (Path(name, "model.safetensors").read_bytes() for name in ("whole", "cut"))
    assert first == second


@pytest.mark.slow
def test_a_dry_run_checks_the_step_and_leaves_nothing(capsys) -> None:
    name = data("classify", 40)
    assert main(["train", "classify", "--data", name, "--dry-run", *QUICK]) == 0
    assert capsys.readouterr().out.endswith("\nno shape mistakes found\n")
    assert [path.name for path in Path().iterdir()] == [name]
    Path(name).write_text('{"text": 3, "label": "a"}\n', encoding="utf-8")
    assert main(["train", "classify", "--data", name, "--dry-run", *QUICK]) == 2
    assert "data.jsonl:1: `text` is not text: int" in capsys.readouterr().err
