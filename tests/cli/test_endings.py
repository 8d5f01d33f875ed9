"""A command that is stopped, or cannot print, ends with one line and a status, and no frames."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time

import pytest

from tests.cli.side_by_side import write
from tests.repeated import few
from wellshaped.cli import main

SLOW = """
import time
import torch
time.sleep(60)
"""


def begun(folder, *arguments: str, **how) -> subprocess.Popen[str]:
    full = [sys.executable, "-m", "wellshaped", *arguments]
    pipe = subprocess.PIPE
    given = {"stdout": pipe, "stderr": pipe, "text": True, "start_new_session": True, **how}
    return subprocess.Popen(full, cwd=folder, **given)


def has_loaded(process: subprocess.Popen[str], name: str) -> bool:
    with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
        return name in maps.read()


def has_child(process: subprocess.Popen[str]) -> bool:
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as children:
        return bool(children.read().strip())


def is_reading(process: subprocess.Popen[str]) -> bool:
    """Whether it has taken what was sent, and so waits for more."""
    assert process.stdin is not None
    waiting = fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, bytes(4))
    return int.from_bytes(waiting, sys.byteorder) == 0


def wait_until(condition, process) -> None:
    while not condition(process):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)


MOMENTS = {
    "torch is imported": lambda process: has_loaded(process, "libtorch"),
    "a child is waited for": has_child,
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("moment", few(MOMENTS, "a child is waited for"))
@pytest.mark.parametrize("command", few(["check", "fix"], "check"))
@pytest.mark.parametrize(
    ("number", "status", "line"),
    [
        (signal.SIGINT, 130, "wellshaped: interrupted\n"),
        (signal.SIGTERM, 143, "wellshaped: ended by SIGTERM\n"),
        (signal.SIGHUP, 129, "wellshaped: ended by SIGHUP\n"),
    ],
)
def test_a_signal_is_one_line(tmp_path, moment, command, number, status, line):
    write(tmp_path, {"train.py": SLOW})
    process = begun(tmp_path, command, "--format", "json", "train.py")
    wait_until(MOMENTS[moment], process)
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", line)


@pytest.mark.skipif(sys.platform != "linux", reason="asks a pipe for what is in it")
def test_an_interrupt_while_a_text_is_awaited(tmp_path):
    process = begun(tmp_path, "explain", "-", "--lang", "en", stdin=subprocess.PIPE)
    process.stdin.write("the first of several lines\n")
    process.stdin.flush()
    wait_until(is_reading, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "wellshaped: interrupted\n")


def test_interrupts_in_every_language(monkeypatch, capsys):
    def stop(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("wellshaped.cli.explain.act", stop)
    said = set()
    for lang in ("en", "es", "ja", "zh"):
        assert main(["explain", "--lang", lang]) == 130
        out, err = capsys.readouterr()
        assert out == ""
        said.add(err)
    assert len(said) == 4


def printed(folder, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    full = [sys.executable, "-m", "wellshaped", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(full, cwd=folder, env=env, capture_output=True, check=False)


@pytest.mark.parametrize(
    "encoding", few(["ascii", "cp1252", "ascii:strict", "latin-1"], "cp1252", "ascii:strict")
)
@pytest.mark.parametrize("lang", few(["es", "ja", "zh"], "ja"))
def test_what_a_stream_cannot_encode_is_replaced(tmp_path, encoding, lang):
    for arguments in (["explain", "WS101"], ["explain"], ["check", "no\udcffsuch\u202e.py"]):
        done = printed(tmp_path, *arguments, "--lang", lang, PYTHONIOENCODING=encoding)
        assert done.returncode == (2 if arguments[0] == "check" else 0)
        assert b"Traceback" not in done.stderr
        (done.stdout + done.stderr).decode(encoding.partition(":")[0])


def test_bytes_that_are_no_text_are_explained_around(tmp_path):
    given = b"\xff\xfe epoch 1\nmat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)\n"
    full = [sys.executable, "-m", "wellshaped", "explain", "-"]
    env = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    how = {"cwd": tmp_path, "env": env, "capture_output": True, "check": False}
    done = subprocess.run(full, input=given, **how)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"WS211" in done.stdout


def test_a_reader_that_has_seen_enough(tmp_path):
    process = begun(tmp_path, "explain")
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_output_that_cannot_be_written(tmp_path):
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = begun(tmp_path, "explain", "WS101", stdout=full)
        _, err = process.communicate(timeout=60)
    assert err == "error[WS939]: the output could not be written: No space left on device\n"
    assert process.returncode == 2


def test_a_stream_that_is_closed(tmp_path):
    command = f"{sys.executable} -m wellshaped explain WS101 >&-"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_streams_of_a_program_are_as_under_python(tmp_path):
    write(
        tmp_path, {"prog.py": "import sys\nprint(sys.stdout.errors, sys.stderr.errors)\nprint('é')"}
    )
    plain = subprocess.run(
        [sys.executable, "prog.py"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    ours = printed(tmp_path, "run", "prog.py", PYTHONIOENCODING="ascii")
    assert ours.stdout == plain.stdout
    assert ours.returncode == plain.returncode == 1


@pytest.mark.slow
def test_json_is_whole_under_any_encoding(tmp_path):
    write(tmp_path, {"日本.py": "print('語')"})
    asked = ("check", "--format", "json", "日本.py")
    done = printed(tmp_path, *asked, PYTHONIOENCODING="ascii", PYTHONUTF8="1")
    assert json.loads(done.stdout)["program"] == "日本.py"
