"""A command in a fork of a process that is kept looks like one in a new interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

pytestmark = pytest.mark.slow

SHOWS = """\
import os, sys, warnings
print(sys.argv, sys.path[0], sys.orig_argv[1:], os.getcwd(), __name__, globals().get("__file__"))
print(sys.modules["__main__"].__dict__ is globals(), sys.dont_write_bytecode, sys.warnoptions)
print(os.environ.get("MARK"), os.environ.get("HOME"), sys.stdin.read())
warnings.warn("heard")
print("last", file=sys.stderr)
"""
ENDINGS = {
    "status": "import sys; sys.exit(7)",
    "words": "import sys; sys.exit('no')",
    "error": "def f():\n    raise ValueError('x')\nf()",
    "interrupt": "raise KeyboardInterrupt",
    "signal": "import os; os.kill(os.getpid(), 15)",
    "at exit": "import atexit; atexit.register(print, 'bye'); print('first')",
    "thread": "import threading, time\n"
    "threading.Thread(target=lambda: (time.sleep(0.1), print('late'))).start()",
    "left": "import os; os._exit(3)",
}


def both(
    *arguments: str, folder: Path, given: str = "", **added: str
) -> list[tuple[int, bytes, bytes]]:
    """How a command ends that is forked, and in a process of its own."""
    env = {**os.environ, **added}
    cold = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=env,
        input=given.encode(),
        capture_output=True,
    )
    forked = warm.run(arguments, cwd=folder, env=env, input=given)
    return [(each.returncode, each.stdout, each.stderr) for each in (forked, cold)]


@pytest.mark.parametrize(
    "command", [("a.py", "-x"), ("-m", "a", "-x"), ("-c", SHOWS, "-x")], ids=["file", "module", "c"]
)
@pytest.mark.parametrize("flags", [(), ("-W", "error", "-B")], ids=["plain", "flags"])
def test_it_finds_what_a_new_interpreter_has(tmp_path, command, flags):
    (tmp_path / "a.py").write_text(SHOWS)
    forked, cold = both(*flags, *command, folder=tmp_path, given="read", MARK="1")
    assert forked == cold


@pytest.mark.parametrize("name", ENDINGS)
def test_it_ends_as_a_new_interpreter_ends(tmp_path, name):
    (tmp_path / "a.py").write_text(ENDINGS[name])
    forked, cold = both("a.py", folder=tmp_path)
    assert forked == cold


def test_nothing_of_a_command_is_left_for_the_next(tmp_path):
    warm.run(["-c", "import os, torch; os.environ['A'] = '1'; torch.left = 1"], check=True)
    ran = warm.run(["-c", "import os, torch; print('A' in os.environ, hasattr(torch, 'left'))"])
    assert ran.stdout == b"False False\n"


def test_one_that_does_not_end_is_ended():
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run(["-c", "import time; time.sleep(100)"], timeout=0.5)


def test_two_run_beside_each_other(tmp_path):
    waits = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)"
    first = warm.Command(["-c", waits], cwd=tmp_path)
    warm.run(["-c", "open('go', 'w').close()"], cwd=tmp_path, check=True)
    assert first.communicate() == (b"", b"")
    assert first.returncode == 0
