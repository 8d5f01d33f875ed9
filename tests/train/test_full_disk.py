"""A run whose disk is full ends with one line, leaves no half-written file, and can go on."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import torch

from wellshaped.cli import main
from wellshaped.files import whole
from wellshaped.records.phrase import UserError
from wellshaped.train.artifacts import checkpoint, run_folder
from wellshaped.train.artifacts.checkpoint import Checkpoints
from wellshaped.train.artifacts.run_folder import claim_folder, publish, run_files
from wellshaped.train.artifacts.track import Track

FULL = os.strerror(errno.ENOSPC)
STEPS = ("--batch", "8", "--save-every", "2", "--steps", "6")
CLASSIFY = ["train", "classify", "--width", "8", *STEPS]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def drafts(place: Path) -> list[Path]:
    return [path for path in place.rglob("*") if "draft" in path.name]


def saved(kept: Checkpoints, step: int) -> None:
    kept.save(step, state={"x": torch.zeros(9)}, weights={"w": torch.zeros(9)})


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, FULL)


def full_in_rust(_: object, path: Path, **__: object) -> None:
    Path(path).touch()
    raise RuntimeError(f"Error while serializing: I/O error: {FULL} (os error 28)")


def full_in_torch(_: object, file: object) -> None:
    try:
        full()
    finally:
        raise RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 576 vs 534")


@pytest.mark.parametrize(
    ("module", "name", "writer"),
    [
        ("safetensors.torch", "save_file", full_in_rust),
        ("torch", "save", full_in_torch),
        ("wellshaped.files.whole", "flush", full),
    ],
)
def test_a_checkpoint_that_does_not_fit_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, writer
) -> None:
    kept = Checkpoints(tmp_path / "checkpoints", marks={})
    saved(kept, 1)
    monkeypatch.setattr(f"{module}.{name}", writer)
    line = rf"WS957.*{FULL}.*`--resume` continues from step 1"
    with pytest.raises(UserError, match=line), run_files(tmp_path):
        saved(kept, 2)
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["step-00000001"]
    newest = kept.newest()
    assert newest is not None
    assert newest.state()["x"].shape == (9,)


def test_torch_itself_says_why_it_could_not_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real writer of torch, on a file that takes no bytes."""
    kept = Checkpoints(tmp_path / "checkpoints", marks={})
    plain = open

    def opened(path: Path, mode: str) -> object:
        return plain("/dev/full" if path.name == "state.pt" else path, mode)

    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    monkeypatch.setattr(checkpoint, "open", opened, raising=False)
    line = rf"WS957.*{FULL}.*there is no checkpoint yet"
    with pytest.raises(UserError, match=line), run_files(tmp_path):
        saved(kept, 1)
    assert drafts(tmp_path) == []


def test_a_result_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    def write(draft: Path) -> None:
        (draft / "config.json").touch()
        full()

    with pytest.raises(UserError, match="WS957"):
        publish(tmp_path, write)
    assert list(tmp_path.iterdir()) == []


def test_other_errors_of_a_run_are_not_taken_for_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(ConnectionRefusedError), run_files(tmp_path):
        raise ConnectionRefusedError(errno.ECONNREFUSED, "the reward's server is away")


def test_a_table_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    track = Track(tmp_path)
    track.write("train", 1, {"loss": 0.5})
    monkeypatch.setattr(whole, "write_all", full)
    with pytest.raises(UserError, match="WS957"):
        track.write("train", 2, {"loss": 0.4})
    assert (tmp_path / "train.csv").read_text() == "step,loss\n1,0.5\n"


def test_what_a_killed_run_left_goes_when_the_next_begins(tmp_path: Path) -> None:
    for name in ("checkpoints", "log", "checkpoints/.draft-step-00000001"):
        (tmp_path / name).mkdir()
    for name in (".draft-curves.svg", "log/.draft-train.csv"):
        (tmp_path / name).touch()
    claim_folder(tmp_path, resume=True)
    assert drafts(tmp_path) == []


def test_a_checkpoint_that_cannot_fit_is_refused_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_folder, "size_of", lambda _: 10**18)
    assert main([*CLASSIFY, "--out", "run"]) == 2
    shown = capsys.readouterr()
    assert "error[WS957]: a checkpoint of this run needs 1e+06 TB, and " in shown.err
    assert "step" not in shown.out + shown.err.replace("steps", "")
    assert not Path("run").exists()


def test_the_least_that_a_checkpoint_needs_is_no_more_than_it_takes(tmp_path: Path) -> None:
    model = torch.nn.Linear(300, 200)
    model.bias.requires_grad_(False)
    optimizer = torch.optim.AdamW([model.weight])
    model(torch.ones(1, 300)).sum().backward()
    optimizer.step()
    kept = Checkpoints(tmp_path, marks={})
    made = kept.save(1, state=optimizer.state_dict(), weights=model.state_dict())
    size = sum(path.stat().st_size for path in made.folder.iterdir())
    assert 0.9 * size < checkpoint.size_of(model) <= size
    assert checkpoint.size_of(model, trained_only=True) == 3 * 4 * 300 * 200


@pytest.mark.parametrize("report", [(), ("--report", "out.html")])
def test_a_full_disk_in_the_middle_of_a_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], report: tuple[str, ...]
) -> None:
    plain, calls = torch.save, []

    def later_full(state: object, file: IO[bytes]) -> None:
        calls.append(file)
        plain(state, file)
        if len(calls) == 2:
            full()

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", later_full)
        assert main([*CLASSIFY, "--out", "run", *report]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("error[WS957]: a file in `run` could not be written: ")
    assert lines[-1].endswith("; `--resume` continues from step 2")
    assert drafts(Path()) == []
    assert Path("out.html").exists() == bool(report)
    assert main([*CLASSIFY, "--out", "run", "--resume"]) == 0
    assert "finished after 6 steps" in capsys.readouterr().out


def test_a_page_that_cannot_be_written_hides_no_other_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch, "save", full)
    monkeypatch.setattr("wellshaped.cli.reporting.publish_text", full_page)
    assert main([*CLASSIFY, "--out", "run", "--report", "out.html"]) == 2
    codes = [line[:12] for line in capsys.readouterr().err.splitlines()[-2:]]
    assert codes == ["error[WS935]", "error[WS957]"]


def full_page(path: Path, _: str) -> None:
    raise whole.NotWritten(path, FULL)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 6 MB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("nothing may be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_really_full(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = ("--batch", "8", "--save-every", "2", "--steps", "10")
    wide = ["train", "classify", "--width", "128", *steps, "--keep", "9", "--out", "small/run"]
    (small / "other").write_bytes(bytes(2_000_000))
    assert main(wide) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error[WS957]: a file in `small/run` could not be written: No space")
    assert error.endswith("; `--resume` continues from step 6")
    assert drafts(small) == []
    (small / "other").unlink()
    for left in Checkpoints(small / "run" / "checkpoints", marks={}).all()[:-1]:
        shutil.rmtree(left.folder)
    keep_one = [*wide[:-4], "--keep", "1", "--out", "small/run", "--resume"]
    assert main(keep_one) == 0
    assert "finished after 10 steps" in capsys.readouterr().out
