"""What is written is there whole, or nothing of it is."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from wellshaped.files import whole
from wellshaped.files.whole import (
    NotWritten,
    append_text,
    clear_drafts,
    drafted,
    publish_text,
    writing,
)


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_text_that_does_not_fit_leaves_the_one_before(tmp_path: Path, monkeypatch) -> None:
    publish_text(tmp_path / "a", "old")
    monkeypatch.setattr(whole, "flush", full)
    with pytest.raises(NotWritten, match="WS957"):
        publish_text(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a"]


def test_a_folder_takes_the_place_of_another_at_the_end(tmp_path: Path) -> None:
    for text in ("old", "new"):
        with drafted(tmp_path / "run") as draft:
            draft.mkdir()
            (draft / text).write_text(text)
    assert names(tmp_path) == ["run"]
    assert names(tmp_path / "run") == ["new"]


def test_an_interrupt_leaves_no_draft(tmp_path: Path, monkeypatch) -> None:
    def interrupt(path: Path, *_: object, **__: object) -> None:
        path.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupt)
    with pytest.raises(KeyboardInterrupt):
        publish_text(tmp_path / "a", "new")
    assert names(tmp_path) == []


def test_a_line_is_added_whole_or_not_at_all(tmp_path: Path, monkeypatch) -> None:
    append_text(tmp_path / "table.csv", "1,2\n")

    def half(handle: int, data: bytes) -> None:
        os.write(handle, data[:2])
        full()

    monkeypatch.setattr(whole, "write_all", half)
    with pytest.raises(NotWritten, match=r"table.csv` could not be written: No space left"):
        append_text(tmp_path / "table.csv", "3,4\n")
    assert (tmp_path / "table.csv").read_text() == "1,2\n"


def test_a_limit_of_the_system_is_reported_like_a_full_disk(tmp_path: Path) -> None:
    code = (
        "import signal, sys; from pathlib import Path; from wellshaped.files.whole import *;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "publish_text(Path(sys.argv[1]), 'x' * 9000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True,
        text=True,
    )
    assert done.stderr.endswith("could not be written: File too large\n")
    assert names(tmp_path) == []


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shapes"), writing(tmp_path):
        raise ValueError("shapes differ")


def test_what_a_killed_process_left_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".draft-step-1").mkdir()
    (tmp_path / ".draft-step-1" / "x").touch()
    (tmp_path / ".draft-curves.svg").touch()
    (tmp_path / "kept").touch()
    clear_drafts(tmp_path)
    assert names(tmp_path) == ["kept"]
