"""What the filter of system calls denies to native code, and leaves to the overlay."""

import platform
import sys

import pytest

from tests.execute.sandbox.boxed import sandboxed, user_folder

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="the filter is written for these",
)


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


NATIVE = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *args):
    ctypes.set_errno(0)
    print(name, getattr(libc, name)(*args), errno.errorcode.get(ctypes.get_errno()))
attempt("chmod", b"log.txt", 0)
attempt("utimes", b"log.txt", None)
attempt("chown", b"log.txt", 1, 1)
attempt("setxattr", b"log.txt", b"user.a", b"x", 1, 0)
attempt("shmget", 4711, 64, 0o1600)
attempt("semget", 4711, 1, 0o1600)
attempt("msgget", 4711, 0o1600)
attempt("sethostname", b"other", 5)
"""


def test_native_code_changes_no_metadata_and_nothing_that_outlasts_it(user):
    lines = sandboxed(user, NATIVE).out.splitlines()
    assert len(lines) == 8
    assert {line.partition(" ")[2] for line in lines} == {"-1 EPERM"}


OVERLAY = """
import os, pathlib, shutil, stat
def mode(name): return oct(stat.S_IMODE(os.stat(name).st_mode))
os.chmod("log.txt", 0o600); print(mode("log.txt"))
os.utime("log.txt", (5, 7.5)); print(os.stat("log.txt").st_atime, os.stat("log.txt").st_mtime)
os.utime("config.json", ns=(1, 2)); print(os.stat("config.json").st_mtime_ns)
pathlib.Path("config.json").touch(); print(os.stat("config.json").st_mtime > 1e9)
with open("made.txt", "w") as made:
    os.fchmod(made.fileno(), 0o640); os.utime(made.fileno(), (3, 4))
print(mode("made.txt"), os.stat("made.txt").st_mtime)
os.setxattr("made.txt", "user.a", b"x"); print(os.getxattr("made.txt", "user.a"))
os.removexattr("made.txt", "user.a"); print(os.listxattr("made.txt"))
os.chown("made.txt", os.getuid(), os.getgid()); os.lchown("made.txt", -1, -1)
shutil.copytree("data", "copied"); print(sorted(os.listdir("copied")))
print(os.stat("copied/a.txt").st_mtime_ns == os.stat("data/a.txt").st_mtime_ns)
with open("log.txt") as read_only:
    os.fchmod(read_only.fileno(), 0o400)
print(mode("log.txt"))
try: os.chmod("missing", 0o600)
except FileNotFoundError as error: print(error)
"""


def test_the_program_changes_modes_times_and_attributes_of_its_copies(user):
    assert sandboxed(user, OVERLAY).out.splitlines() == [
        *("0o600", "5.0 7.5", "2", "True", "0o640 4.0", "b'x'", "[]", "['a.txt', 'b']", "True"),
        "0o400",
        "[Errno 2] No such file or directory: 'missing'",
    ]


NETWORK = """
import ctypes, errno, socket, struct, tempfile
libc = ctypes.CDLL(None, use_errno=True)
here = struct.pack("=HHI8x", socket.AF_INET, 0x5000, socket.htonl(0x7F000001))
def attempt(name, *args):
    ctypes.set_errno(0)
    print(name, getattr(libc, name)(*args), errno.errorcode.get(ctypes.get_errno()))
tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
attempt("connect", tcp.fileno(), here, 16)
attempt("connect", udp.fileno(), here, 16)
attempt("sendto", udp.fileno(), b"x", 1, 0, here, 16)
left, right = socket.socketpair(); left.send(b"x"); print(right.recv(1))
server = socket.socket(socket.AF_UNIX); server.bind(tempfile.mkdtemp() + "/s"); server.listen()
socket.socket(socket.AF_UNIX).connect(server.getsockname()); print("connected")
"""


def test_native_code_sends_nothing_to_other_machines(user):
    lines = sandboxed(user, NETWORK).out.splitlines()
    assert [line.partition(" ")[2] for line in lines[:3]] == ["-1 EPERM"] * 3
    assert lines[3:] == ["b'x'", "connected"]
