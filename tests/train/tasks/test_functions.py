"""Each task from Python: it learns, predicts, is saved and read back, and goes on."""

from pathlib import Path

import pytest
import torch

from tests.floats import DEEP, near
from wellshaped.records.phrase import UserError
from wellshaped.train.tasks.functions import classify, multilabel, regress, seq2seq, tag, train
from wellshaped.train.tasks.generated_rows import generate_rows
from wellshaped.train.tasks.result import Trained


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


def rows(kind: str, count: int = 400):
    return generate_rows(kind, rows=count, seed=1)


@pytest.mark.parametrize(
    ("kind", "metric", "least", "options"),
    [
        ("classify", "accuracy", 0.95, {"epochs": 4}),
        ("regress", "r2", 0.6, {"epochs": 6}),
        ("multilabel", "micro_f1", 0.9, {"epochs": 9}),
        ("tag", "token_accuracy", 0.97, {"epochs": 4}),
        ("seq2seq", "token_accuracy", 0.5, {"epochs": 8, "level": "word"}),
    ],
)
def test_each_task_learns_and_its_saved_result_predicts_the_same(
    tmp_path: Path, kind: str, metric: str, least: float, options
) -> None:
    result = train(kind, rows(kind), out=tmp_path / "run", batch=16, **options)
    assert result.metrics[metric] > least
    fresh = [dict(row) for row in rows(kind, 9)]
    first = result.predict(fresh)
    assert first == Trained.load(tmp_path / "run").predict(fresh)
    alone = [result.predict([row])[0] for row in fresh]
    assert first == (near(alone, within=DEEP) if kind == "regress" else alone)
    for name in (
        "model.safetensors",
        "task.json",
        "curves.svg",
        "curves.png",
        "log/train.csv",
    ):
        assert (tmp_path / "run" / name).stat().st_size > 0


def test_predictions_have_the_form_of_their_task() -> None:
    quick = {"steps": 2, "batch": 8, "width": 8}
    assert classify(rows("classify", 20), **quick).predict(["a b"])[0] in (
        *("music", "sport", "food", "travel"),
    )
    assert isinstance(regress(rows("regress", 20), **quick).predict(["a"])[0], float)
    labels = multilabel(rows("multilabel", 20), **quick).predict(["a"])[0]
    assert set(labels) <= {"music", "sport", "food", "travel"}
    assert len(tag(rows("tag", 20), **quick).predict([{"tokens": ["the", "watch"]}])[0]) == 2
    assert isinstance(seq2seq(rows("seq2seq", 20), **quick).predict(["one two"])[0], str)


def test_numbers_are_features_alone_or_beside_a_text() -> None:
    chance = torch.Generator().manual_seed(0)
    made = torch.rand(200, 2, generator=chance).tolist()
    data = [{"a": 1000 * a, "b": str(b), "y": 5 * a - b, "z": b, "text": "x"} for a, b in made]
    both = regress(data, features=("a", "b"), targets=("y", "z"), epochs=30, batch=16)
    assert both.metrics["r2"] > 0.95
    (first, second), *_ = both.predict([{"a": 500.0, "b": 0.5}])
    assert first == pytest.approx(2.0, abs=0.4)
    assert second == pytest.approx(0.5, abs=0.2)
    beside = regress(data, text="text", features=("a",), targets=("y",), epochs=20, batch=16)
    assert beside.metrics["r2"] > 0.8


def test_the_seed_decides_everything_and_another_changes_it() -> None:
    def weights(seed: int):
        result = classify(rows("classify", 60), seed=seed, steps=4)
        return torch.cat([each.flatten() for each in result.trained.model.parameters()])

    assert torch.equal(weights(3), weights(3))
    assert not torch.equal(weights(3), weights(4))


def test_a_run_goes_on_only_as_it_was_begun(tmp_path: Path) -> None:
    data = rows("classify", 60)
    classify(data, out=tmp_path, steps=4)
    with pytest.raises(UserError, match="WS986"):
        classify(data, out=tmp_path, steps=4)
    with pytest.raises(UserError, match=r"WS985.*`learning_rate`"):
        classify(data, out=tmp_path, steps=4, resume=True, learning_rate=0.5)
    with pytest.raises(UserError, match=r"WS985.*`data`"):
        classify(data[:-1], out=tmp_path, steps=4, resume=True)
    assert classify(data, out=tmp_path, steps=4, resume=True).ended.step == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "WS988.*`epochs`"),
        ({"width": 7}, "WS988.*even"),
        ({"hold_out": 1.5}, "WS988.*share"),
        ({"schedule": "bent"}, "WS988.*constant, linear, cosine"),
        ({"epoch": 3}, "WS988.*no option `epoch`"),
        ({"trackers": ("paper",)}, "WS988.*tensorboard"),
        ({"resume": True}, "WS988.*folder"),
        ({"text": "words"}, "WS984"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(options, message: str) -> None:
    with pytest.raises(UserError, match=message):
        classify(rows("classify", 20), **options)


def test_rows_of_one_class_are_refused() -> None:
    with pytest.raises(UserError, match=r"WS984.*1 classes"):
        classify([{"text": "a", "label": "x"}] * 5)


def test_what_was_measured_goes_to_tensorboard_too(tmp_path: Path) -> None:
    classify(rows("classify", 40), out=tmp_path, steps=2, trackers=("tensorboard",))
    assert [*tmp_path.rglob("events.out.tfevents*")]


def test_a_result_that_is_not_there_or_damaged(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="WS986"):
        Trained.load(tmp_path)
    classify(rows("classify", 40), out=tmp_path, steps=2)
    (tmp_path / "model.safetensors").write_bytes(b"no")
    with pytest.raises(UserError, match="WS987"):
        Trained.load(tmp_path)


def test_a_row_that_cannot_be_predicted_says_why() -> None:
    result = classify(rows("classify", 20), steps=1, width=4)
    with pytest.raises(UserError, match=r"WS984: row 2 cannot be used: `text` is empty"):
        result.predict(["a", " "])
    with pytest.raises(UserError, match=r"WS982: row 1 has no `text`"):
        result.predict([{"label": "x"}])
