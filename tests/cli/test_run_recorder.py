"""What was heard of a run becomes its page, however it ended."""

import pytest

from wellshaped.cli.train import with_page
from wellshaped.cli.usage import BadUsage
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Ended, Step
from wellshaped.train.artifacts.track import TABLES, Track

TOLD = UserError("WS989", "loss_not_finite", step=2)


def leave(folder):
    Track(folder / TABLES).write("train", 1, {"loss": 0.5})


def paged(train, folder):
    """What the page of such a run says; None where there is none."""
    file = folder / "out.html"
    ended = None
    try:
        with_page(train, str(file), "train x", str(folder / "run"), lang="en")
    except Exception as error:
        ended = error
    return (file.read_text(encoding="utf-8") if file.exists() else ""), ended


def failing(error, folder, *, steps=1):
    def train(heard):
        leave(folder / "run")
        for step in range(1, steps + 1):
            heard(Step(step, 9, 0.0))
        raise error

    return train


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (TOLD, BadUsage, "failed after 1 steps: the loss"),
        (RuntimeError("no room"), RuntimeError, "failed after 1 steps: RuntimeError: no room"),
    ],
)
def test_a_run_that_failed_has_its_page_and_its_error(tmp_path, error, kind, said):
    page, ended = paged(failing(error, tmp_path), tmp_path)
    assert isinstance(ended, kind)
    assert said in page


def test_tables_of_an_older_run_are_not_shown_as_those_of_one_that_never_began(tmp_path):
    page, ended = paged(failing(TOLD, tmp_path, steps=0), tmp_path)
    assert page == ""
    assert isinstance(ended, BadUsage)


def test_processes_that_tell_nothing_write_nothing(tmp_path):
    def silent(heard):
        leave(tmp_path / "run")
        return 0

    assert paged(silent, tmp_path) == ("", None)


def test_each_stage_has_its_end(tmp_path):
    def staged(heard):
        for stage in ("sft", "reward"):
            heard(Phrase(f"stage_{stage}", {}))
            leave(tmp_path / "run" / stage)
            heard(Step(1, 9, 0.0))
            if stage == "reward":
                raise RuntimeError("no room")
            heard(Ended("finished", 4, 4, {}))

    page, _ = paged(staged, tmp_path)
    english = page.partition('data-lang="es"')[0]
    assert english.index("finished after 4 steps") < english.index("failed after 1 steps")
    assert "is improved by rewards" not in english
