"""What the sandbox refuses: the network, other programs and processes, writes that slip by it."""

import pytest

from tests.execute.sandbox.boxed import DRIVER, sandboxed, user_folder


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


REFUSED = """
import os, signal, socket, subprocess, threading
def attempt(call):
    try: call(); print("went through")
    except PermissionError as error: print(getattr(error, "code", error))
attempt(lambda: socket.create_connection(("203.0.113.1", 80)))
attempt(lambda: socket.socket().connect(("127.0.0.1", 9)))
attempt(lambda: socket.getaddrinfo("example.org", 80))
attempt(lambda: socket.socket().bind(("", 8080)))
attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("203.0.113.1", 53)))
attempt(lambda: socket.socket(socket.AF_UNIX).connect("/run/service"))
attempt(lambda: socket.socket(socket.AF_UNIX).connect("\\0service"))
attempt(lambda: subprocess.run(["touch", "made"]))
attempt(lambda: os.system("touch made"))
attempt(lambda: os.execv("/bin/touch", ["touch", "made"]))
attempt(lambda: os.posix_spawn("/bin/touch", ["touch", "made"], {}))
attempt(lambda: os.kill(os.getppid(), signal.SIGTERM))
attempt(lambda: os.killpg(0, signal.SIGTERM))
"""


def test_network_programs_and_signals_are_refused_with_a_note(user):
    run = sandboxed(user, REFUSED + "print('alive')")
    assert run.out.split() == ["WS940"] * 13 + ["alive"]
    refused = {line: (action, target) for action, target, line in run.refused()}
    first = REFUSED.split("\n").index(next(s for s in REFUSED.split("\n") if "203" in s)) + 1
    assert sorted(refused) == list(range(first, first + 13))
    assert refused[first] == ("socket.getaddrinfo", "203.0.113.1")
    assert refused[first + 1] == ("socket.connect", "127.0.0.1:9")
    assert refused[first + 6] == ("socket.connect", "@service")
    assert refused[first + 7] == ("subprocess.Popen", "touch made")


def test_what_stays_in_the_process_is_allowed(user):
    program = """
import ctypes, os, signal, socket, tempfile
signal.signal(signal.SIGUSR1, lambda *_: print("got it")); os.kill(os.getpid(), signal.SIGUSR1)
os.kill(os.getppid(), 0); left, right = socket.socketpair(); left.send(b"x"); print(right.recv(1))
socket.gethostbyname("localhost"); socket.socket().bind(("", 0)); ctypes.CDLL(None)
server = socket.socket(socket.AF_UNIX); server.bind(tempfile.mkdtemp() + "/s"); server.listen()
socket.socket(socket.AF_UNIX).connect(server.getsockname()); os.environ["HERE"] = "1"
own = socket.socket(socket.AF_UNIX); own.bind("\\0own" + str(os.getpid())); own.listen()
socket.socket(socket.AF_UNIX).connect(own.getsockname())
pid = os.fork()
if not pid: os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    run = sandboxed(user, program)
    assert run.out.splitlines() == ["got it", "b'x'", "7"]
    assert run.refused() == set()


def test_early_bound_functions_that_the_overlay_missed_are_refused(user):
    # A cell is the one holder that is not rebound: what it opens has to fall into the net.
    hidden = "import io, os\ndef keep(f):\n    return lambda *a: f(*a)\n"
    (user / "early.py").write_text(hidden + "opens, removes = keep(io.open), keep(os.remove)\n")
    driver = DRIVER.replace("import json", "import early, json", 1)
    program = """
import early
for call in (lambda: early.opens("log.txt", "w"), lambda: early.removes("log.txt")):
    try: call()
    except PermissionError as error: print(error.code)
print(early.opens("log.txt").read(), early.opens("/dev/null", "w"))
"""
    run = sandboxed(user, program, driver=driver)
    assert run.out.startswith("WS940\nWS940\nold\n")
    log = str(user / "log.txt")
    assert run.refused() == {("open", log, 3), ("os.remove", log, 3)}


def test_a_crash_leaves_no_core_dump(user):
    program = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    driver = "import resource as r; r.setrlimit(r.RLIMIT_CORE, (-1, -1))\n" + DRIVER
    assert sandboxed(user, program, driver=driver).out == "0\n"


def test_kernel_denies_writes_from_c(user):
    program = """
import ctypes
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
print(libc.fopen(b"made.txt", b"w"), libc.unlink(b"log.txt"), libc.fopen(b"log.txt", b"r") is None)
"""
    if not sandboxed(user, "").by_kernel:
        pytest.skip("this Linux has no Landlock")
    assert sandboxed(user, program).out == "None -1 False\n"
