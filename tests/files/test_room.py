"""A place that takes no files is found out by trying, and nothing is left of the trial."""

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wellshaped.files.room import in_units, require_folder, require_room, why_not_written
from wellshaped.records.phrase import UserError


@pytest.mark.parametrize("name", [".", "new", "new/deeper", "link", "link/new"])
def test_a_folder_that_can_be_written_to_is_not_made(tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    require_folder(tmp_path / name, inner=("a", "b"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link", "there"]


@pytest.mark.parametrize("name", ["file", "file/new", "dangling", "dangling/new"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(UserError, match=r"WS956.*is not a folder"):
        require_folder(tmp_path / name)


def test_a_folder_in_it_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    with pytest.raises(UserError, match="WS956"):
        require_folder(tmp_path, inner=("log",))


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_the_reason_is_that_of_the_system(tmp_path: Path, monkeypatch, number: int) -> None:
    def refuse(**_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(UserError, match=rf"WS956.*`{tmp_path}/new`: {os.strerror(number)}"):
        require_folder(tmp_path / "new")


def test_too_long_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="WS956"):
        require_folder(tmp_path / ("x" * 300))


def test_too_little_space_is_refused(tmp_path: Path, monkeypatch) -> None:
    usage = type(shutil.disk_usage(tmp_path))(total=10**9, used=0, free=1_400_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(UserError, match=r"WS957.*at least 4 MB, and 1.4 MB are free"):
        require_folder(tmp_path)
    require_room(tmp_path, 1_400_000)
    with pytest.raises(UserError, match=r"WS957.*needs 2.5 GB, and 1.4 MB are free"):
        require_room(tmp_path, 2_500_000_000)


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A folder of its own, of 8 MB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("nothing may be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_real_disk_that_is_read_only_or_full(mounted: Path) -> None:
    require_folder(mounted / "run")
    with (mounted / "large").open("wb") as file:
        file.write(bytes(6_000_000))
    with pytest.raises(UserError, match="WS957"):
        require_folder(mounted / "run")
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    with pytest.raises(UserError, match=r"WS956.*Read-only file system"):
        require_folder(mounted / "run")


def test_the_reason_is_found_below_what_libraries_say() -> None:
    full = os.strerror(errno.ENOSPC)
    raised = RuntimeError("unexpected pos 576 vs 534")
    raised.__context__ = OSError(errno.ENOSPC, full)  # as where it is raised in a `finally`
    assert why_not_written(raised) == full
    assert why_not_written(ValueError("I/O error: whatever (os error 28)")) == full
    assert why_not_written(RuntimeError("shapes differ")) is None


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (999, "999 B"), (4_000_000, "4 MB")])
def test_bytes_for_people(count: int, text: str) -> None:
    assert in_units(count) == text
