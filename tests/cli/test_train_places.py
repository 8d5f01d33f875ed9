"""`wellshaped train` and `rlhf` look for a place for their files before they do anything."""

import subprocess
import sys
from pathlib import Path

import pytest

from wellshaped.cli import main
from wellshaped.cli.train import KINDS

POLICY = ("--model", "m", "--reward", "r", "--data", "d")
GIVEN = {"sft": ("--data", "d"), "ppo": POLICY, "reinforce": POLICY}
COMMANDS = [("train", kind, *GIVEN.get(kind, ())) for kind in KINDS] + [("rlhf",)]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda given: "-".join(given[:2]))
def test_out_that_cannot_be_a_folder(command, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").touch()
    assert main([*command, "--out", "file/run"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error[WS956]: nothing can be written to `file/run`: ")
    assert shown.err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["file"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda given: "-".join(given[:2]))
def test_a_report_that_cannot_be_written(command, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--out", "run", "--report", "no/out.html"]) == 2
    assert capsys.readouterr().err.startswith("error[WS935]: ")
    assert list(Path().iterdir()) == []


def test_torch_is_not_waited_for() -> None:
    Path("file").touch()
    code = (
        "import sys; from wellshaped.cli import main\n"
        "for command in (['train', 'classify'], ['rlhf']):\n"
        "    print(main([*command, '--out', 'file']), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["2 False", "2 False"], done.stderr


def test_what_writes_nothing_there_needs_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").touch()
    assert main(["train", "classify", "--out", "file", "--predict", "no.jsonl"]) == 2
    assert "WS956" not in capsys.readouterr().err
