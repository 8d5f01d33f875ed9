"""Checkpoints: whole or not there, the last and the best, and none of another run."""

from pathlib import Path
from types import ModuleType

import pytest
import torch

from wellshaped.files import whole
from wellshaped.records.phrase import UserError
from wellshaped.train.artifacts import checkpoint
from wellshaped.train.artifacts.checkpoint import Checkpoints, read_weights, write_weights

MARKS = {"model": "small", "rows": 7}


def save(kept: Checkpoints, step: int, score: float | None = None) -> checkpoint.Checkpoint:
    weights = {"w": torch.full((2,), float(step))}
    return kept.save(step, state={"step": step, "x": weights["w"]}, weights=weights, score=score)


def steps(kept: Checkpoints) -> list[int]:
    return [each.step for each in kept.all()]


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path / "deep/er", marks=MARKS)
    assert kept.newest() is None
    save(kept, 3, 0.5)
    found = kept.newest()
    assert found is not None
    assert (found.step, found.score, found.marks) == (3, 0.5, MARKS)
    assert found.weights()["w"].tolist() == [3.0, 3.0]
    assert found.state()["x"].tolist() == [3.0, 3.0]


@pytest.mark.parametrize(("better", "best"), [("higher", 2), ("lower", 1)])
def test_the_last_and_the_best_are_kept(tmp_path: Path, better, best: int) -> None:
    kept = Checkpoints(tmp_path, marks=MARKS, keep=2, better=better)
    for step, score in enumerate([0.1, 0.9, 0.9, 0.5, None], 1):
        save(kept, step, score)
    assert steps(kept) == [best, 4, 5]
    found = kept.best()
    assert found is not None
    assert found.step == best


def test_one_that_is_not_whole_is_passed_over(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path, marks=MARKS, keep=3)
    for step in (1, 2, 3):
        save(kept, step)
    (tmp_path / "step-00000003" / "model.safetensors").write_bytes(b"cut")
    (tmp_path / "step-00000002" / "checkpoint.json").unlink()
    assert steps(kept) == [1]


@pytest.mark.parametrize(
    ("module", "fails_at"), [(checkpoint, "write_weights"), (torch, "save"), (whole, "flush")]
)
def test_a_run_that_dies_while_it_writes_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, fails_at: str
) -> None:
    kept = Checkpoints(tmp_path, marks=MARKS)
    save(kept, 1)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, fails_at, die)
        with pytest.raises(KeyboardInterrupt):
            save(kept, 2)
    assert steps(kept) == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["step-00000001"]
    save(kept, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-00000001", "step-00000002"]


def test_one_of_another_run_is_refused(tmp_path: Path) -> None:
    save(Checkpoints(tmp_path, marks=MARKS), 1)
    with pytest.raises(UserError, match=r"WS985.*`rows` was 7 and is 8"):
        Checkpoints(tmp_path, marks={**MARKS, "rows": 8}).newest()


def test_one_whose_bytes_are_damaged_says_so(tmp_path: Path) -> None:
    made = save(Checkpoints(tmp_path, marks=MARKS), 1)
    for name in ("state.pt", "model.safetensors"):
        data = (made.folder / name).read_bytes()
        (made.folder / name).write_bytes(b"\0" * len(data))
    with pytest.raises(UserError, match="WS987"):
        made.state()
    with pytest.raises(UserError, match="WS987"):
        made.weights()


def test_tensors_that_share_memory_come_back_under_each_name(tmp_path: Path) -> None:
    tied = torch.arange(6.0).view(2, 3)
    given = {"a": tied, "b": tied, "c": tied.t(), "d": tied[0], "e": torch.zeros(0)}
    write_weights(given, tmp_path / "w.safetensors")
    found = read_weights(tmp_path / "w.safetensors")
    assert found.keys() == given.keys()
    assert all(torch.equal(found[name], given[name]) for name in given)


def test_a_saved_state_runs_no_code(tmp_path: Path) -> None:
    made = save(Checkpoints(tmp_path, marks=MARKS), 1)
    torch.save({"x": Path("/")}, made.folder / "state.pt")
    with pytest.raises(UserError, match="WS987"):
        made.state()
