"""A file that is replaced stays what it was besides its bytes; of several, all are or none."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from wellshaped.files import backup, replace, whole
from wellshaped.files.replace import FileChange, replace_all
from wellshaped.records.phrase import UserError

OLD, NEW = b"x = 1\n", b"x = 1 + 1  # longer\n"
NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_bytes(OLD)
    return path


def change(path: Path, after: bytes = NEW) -> FileChange:
    return FileChange(str(path), path.read_bytes(), after)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@as_root
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o4755, 0o2750])
def test_owner_and_mode_are_kept(file: Path, bits: int) -> None:
    os.chown(file, NOBODY, NOBODY)
    file.chmod(bits)
    (done,) = replace_all([change(file)], backup=True)
    assert done.not_kept == ()
    for path in (file, file.with_name("train.py.bak")):
        assert (path.stat().st_uid, path.stat().st_gid, mode(path)) == (NOBODY, NOBODY, bits)


def test_attributes_are_kept(file: Path) -> None:
    try:
        os.setxattr(file, "user.origin", b"here")
    except (AttributeError, OSError):
        pytest.skip("no attributes here")
    number = file.stat().st_ino
    (done,) = replace_all([change(file)], backup=True)
    assert file.stat().st_ino != number  # it came by a rename
    for path in (file, file.with_name("train.py.bak")):
        assert os.getxattr(path, "user.origin") == b"here"
    assert done.not_kept == ()


def test_attributes_that_a_new_file_cannot_have_are_kept_too(file: Path, monkeypatch) -> None:
    try:
        os.setxattr(file, "user.origin", b"here")
    except (AttributeError, OSError):
        pytest.skip("no attributes here")

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no")

    monkeypatch.setattr(os, "setxattr", refuse)
    number = file.stat().st_ino
    replace_all([change(file)])
    assert (file.stat().st_ino, file.read_bytes()) == (number, NEW)
    assert os.getxattr(file, "user.origin") == b"here"


@pytest.mark.parametrize("after", [NEW, b"", b"y\n"])
def test_other_names_of_a_file_stay_its_names(file: Path, after: bytes) -> None:
    other = file.with_name("other.py")
    os.link(file, other)
    replace_all([change(file, after)])
    assert other.read_bytes() == after
    assert file.samefile(other)
    assert names(file.parent) == ["other.py", "train.py"]


def test_a_file_without_write_permission_is_not_changed(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(UserError, match=r"WS955.*no write permission; nothing was changed"):
        replace_all([change(file)], backup=True)
    assert file.read_bytes() == OLD
    assert names(file.parent) == ["train.py"]


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match=r"WS955.*regular file"):
        replace_all([FileChange(str(tmp_path / "pipe"), OLD, NEW)])


@as_root
def test_a_file_in_a_folder_that_takes_no_others_is_written_in_place() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.py"
        file.write_bytes(OLD)
        file.chmod(0o666)
        os.chmod(folder, 0o755)
        before = file.stat()
        code = (
            "import os, sys; from wellshaped.files.replace import FileChange, replace_all;"
            f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY});"
            f"print(replace_all([FileChange(sys.argv[1], {OLD!r}, {NEW!r})])[0].not_kept)"
        )
        done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True)
        assert (done.stdout, done.stderr) == (b"()\n", b"")
        assert file.read_bytes() == NEW
        after = file.stat()
        assert (after.st_ino, after.st_uid, mode(file)) == (before.st_ino, 0, 0o666)
        assert names(Path(folder)) == ["train.py"]


@as_root
def test_what_is_lost_is_said() -> None:
    """Who may write to another's file cannot give the backup that owner, nor its group."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        file = Path(folder) / "train.py"
        file.write_bytes(OLD)
        file.chmod(0o666)
        code = (
            "import os, sys; from wellshaped.files.replace import FileChange, replace_all;"
            f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY});"
            f"done = replace_all([FileChange(sys.argv[1], {OLD!r}, {NEW!r})], backup=True)[0];"
            "print(*(f'{each.what} {each.before} {each.after}' for each in done.not_kept), sep='|')"
        )
        done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True)
        said = done.stdout.decode().strip().split("|")
        assert done.stderr == b""
        assert [each.split()[0] for each in said] == ["owner", "mode"]
        assert said[1] == "mode 0666 0606"
        assert file.stat().st_uid == 0


def test_a_target_that_cannot_be_renamed_over_is_written_in_place(file: Path, monkeypatch) -> None:
    def busy(*_: object) -> None:  # as where a container mounts one file
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(os, "replace", busy)
    replace_all([change(file)])
    assert file.read_bytes() == NEW
    assert names(file.parent) == ["train.py"]


class Disk:
    """A disk that takes so many bytes more; those that a file has already can be written over."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, handle: int, data: bytes) -> None:
        own = os.fstat(handle).st_size - os.lseek(handle, 0, os.SEEK_CUR)
        taken = data[: own + self.room]
        self.room -= max(0, len(taken) - own)
        os.write(handle, taken)
        if len(taken) < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")


def written_or_told(changes: list[FileChange]) -> str | None:
    try:
        replace_all(changes, backup=True)
    except UserError as error:
        return str(error)
    return None


@pytest.mark.parametrize("is_linked", [False, True])
def test_on_a_full_disk_nothing_changes(tmp_path: Path, monkeypatch, is_linked: bool) -> None:
    files = [tmp_path / "one.py", tmp_path / "two.py"]
    for path in files:
        path.write_bytes(OLD)
    if is_linked:
        os.link(files[1], tmp_path / "three.py")
    before, room = names(tmp_path), 0
    while True:
        disk = Disk(room)
        for module in (replace, backup):
            monkeypatch.setattr(module, "write_all", disk.write)
        told = written_or_told([change(path) for path in files])
        if told is None:
            break
        assert told.startswith("WS955")
        assert "No space left on device; nothing was changed" in told
        assert names(tmp_path) == before
        assert all(path.read_bytes() == OLD for path in files)
        room += 1
    assert room > 2 * len(NEW)
    assert all(path.read_bytes() == NEW for path in files)


def test_an_interrupt_between_two_files_takes_back_the_first(tmp_path: Path, monkeypatch) -> None:
    files = [tmp_path / "one.py", tmp_path / "two.py"]
    for path in files:
        path.write_bytes(OLD)
    plain, calls = os.replace, []

    def stop(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise KeyboardInterrupt
        plain(source, target)

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        replace_all([change(path) for path in files], backup=True)
    assert [path.read_bytes() for path in files] == [OLD, OLD]
    assert names(tmp_path) == ["one.py", "two.py"]


def test_where_nothing_helps_the_copy_stays_and_is_named(file: Path, monkeypatch) -> None:
    os.link(file, file.with_name("other.py"))
    plain = whole.write_all

    def broken(handle: int, data: bytes) -> None:
        if os.fstat(handle).st_nlink > 1 and data:  # the file itself, not its copy
            plain(handle, data[:2])
            raise OSError(errno.EIO, "Input/output error")
        plain(handle, data)

    monkeypatch.setattr(replace, "write_all", broken)
    with pytest.raises(UserError, match="WS955") as caught:
        replace_all([change(file, b"y = 2\n")])
    copy = Path(caught.value.message.facts["copy"])
    assert copy.read_bytes() == OLD


def test_a_backup_overwrites_no_other(file: Path) -> None:
    for name in ("train.py.bak", "train.py.bak.3"):
        file.with_name(name).write_bytes(b"precious\n")
    file.with_name("train.py.bak.1").symlink_to("elsewhere")
    file.with_name("train.py.bak.2").mkdir()
    file.chmod(0o600)
    (done,) = replace_all([change(file)], backup=True)
    assert done.backup == str(file.with_name("train.py.bak.4"))
    assert Path(done.backup).read_bytes() == OLD
    assert mode(Path(done.backup)) == 0o600
    assert file.with_name("train.py.bak").read_bytes() == b"precious\n"
    assert not file.with_name("elsewhere").exists()


def test_a_backup_of_the_same_bytes_is_left_as_it_is(file: Path) -> None:
    there = file.with_name("train.py.bak")
    there.write_bytes(OLD)
    before = there.stat().st_ino, there.stat().st_mtime_ns
    (done,) = replace_all([change(file)], backup=True)
    assert done.backup == str(there)
    assert (there.stat().st_ino, there.stat().st_mtime_ns) == before
    assert names(file.parent) == ["train.py", "train.py.bak"]
