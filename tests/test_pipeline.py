"""From a live exception to its diagnosis: with source, without, and when it is not ours."""

import zipfile
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from wellshaped.observe.loss_guard.watch import guard
from wellshaped.pipeline.diagnosis import diagnose_exception, diagnose_hazards
from wellshaped.pipeline.texts import rendered

BROKEN = "import torch, torch.nn.functional as F\nF.cross_entropy(torch.zeros(4, 3), {target})\n"
COLUMN = BROKEN.format(target="torch.zeros(4, 1).long()")


def explained(run):
    try:
        run()
    except Exception as error:
        found = diagnose_exception(error)
        return found and rendered(found, "en")
    raise AssertionError("it did not fail")


def test_code_without_source_gets_a_plain_diagnosis():
    text = explained(lambda: exec(compile(COLUMN, "<made up>", "exec"), {}))
    assert text.startswith("error[WS102]")
    assert "<made up>:2" in text
    assert "got       (4, 3)" in text
    assert "[safe]" not in text  # nothing to edit, so nothing is promised


def test_zipped_code_is_explained(tmp_path, monkeypatch):
    archive = tmp_path / "bundle.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr(
            "zipped_fault.py",
            f"def run():\n    {COLUMN.splitlines()[0]}\n    {COLUMN.splitlines()[1]}\n",
        )
    monkeypatch.syspath_prepend(str(archive))
    text = explained(__import__("zipped_fault").run)
    assert text.startswith("error[WS102]")


@pytest.mark.parametrize(
    "run",
    [
        lambda: dict(a=1)["missing"],  # noqa: C408
        lambda: Path("no such file").read_text(),
        lambda: torch.load("no such file"),
        lambda: int("x"),
        lambda: torch.zeros(2).no_such_method(),  # type: ignore[attr-defined]
        lambda: (_ for _ in ()).throw(RuntimeError("CUDA out of memory")),
    ],
)
def test_other_failures_pass_in_silence(run):
    assert explained(run) is None


def test_a_hazard_is_told_once_with_its_count():
    column, vector = torch.zeros(4, 1), torch.zeros(4)
    with guard("record") as seen:
        for _ in range(3):
            with pytest.warns(UserWarning, match="target size"):
                F.mse_loss(column, vector)
    (found,) = diagnose_hazards(seen.calls)
    text = rendered(found, "en")
    assert text.startswith("error[WS301]")
    assert "seen here 3 times" in text


def test_cause_in_another_function_is_shown_too():
    def model(x):
        return x.sum(1).squeeze()

    def evaluate(x):
        scores = model(x)
        return scores.size(0)

    text = explained(lambda: evaluate(torch.zeros(1, 3)))
    assert text.startswith("error[WS401]")
    assert "in evaluate" in text
    assert "in model" in text


def test_call_inside_comprehension_lambda_and_multi_line():
    step = lambda x, y: F.cross_entropy(  # noqa: E731
        x,
        y,
    )
    text = explained(lambda: [step(torch.zeros(2, 3), torch.zeros(2, 1).long()) for _ in range(1)])
    assert text.startswith("error[WS102]")
    assert "y" in text
