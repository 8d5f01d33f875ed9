"""What surrounds a program while it is checked: a home folder, and ears for what it sends."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import shutil
import signal
import socket
import sqlite3
import stat
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

Facts = dict[str, tuple[object, ...]]
_QUEUES = ("shm", "sem", "msg")
_REMOVE = 0


class World:
    """A folder of its own for one trial, and what came of it; used in a `with` statement."""

    def __init__(self) -> None:
        self.token = f"wellshaped-trace-{uuid.uuid4().hex[:12]}"
        self.key = int(self.token[-7:], 16)
        self.root = Path(tempfile.mkdtemp(prefix="traces-"))
        self.home, self.temporary = self.root / "home", self.root / "tmp"
        self._heard: list[str] = []
        self._sockets: dict[str, socket.socket] = {}
        self._before: Facts = {}
        self.inherited = -1

    def __enter__(self) -> World:
        self.temporary.mkdir()
        furnish(self.home)
        self._listen()
        self.inherited = os.open(self.home / "inherited.txt", os.O_WRONLY | os.O_CREAT, 0o644)
        self._usual = signal.signal(signal.SIGUSR1, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGUSR1, self._usual)
        os.close(self.inherited)
        for each in self._sockets.values():
            each.close()
        _sweep(self.token, self.key)
        shutil.rmtree(self.root)

    def places(self) -> dict[str, object]:
        """What the words in braces of a program stand for."""
        ports = {name: self._sockets[name].getsockname()[1] for name in ("tcp", "udp")}
        own = {"token": self.token, "key": self.key, "pid": os.getpid(), "fd": self.inherited}
        return {**ports, **own, "free": _free_port(), "unix": self.root / "trap"}

    def remember(self) -> None:
        """Look at everything before the program is checked."""
        self._before = facts_of(self.home)

    def traces(self) -> list[str]:
        """What is not as it was, and what was heard."""
        found = differences(self._before, facts_of(self.home))
        found += [f"left {path.name}" for path in self.temporary.iterdir()]
        found += [f"left /tmp/{path.name}" for path in Path("/tmp").glob(f"{self.token}*")]
        shared = Path("/dev/shm")
        found += [f"left {path}" for path in shared.glob(f"*{self.token}*")]
        found += [f"left a System V {kind}" for kind in _queues(self.key)]
        if _remove_queue(self.token):
            found.append("left a message queue")
        found += [*self._heard, *(f"{name} heard" for name in self._spoken_to())]
        return [each.replace(self.token, "…") for each in found]

    def _listen(self) -> None:
        made = {
            "tcp": socket.socket(),
            "udp": socket.socket(type=socket.SOCK_DGRAM),
            "unix": socket.socket(socket.AF_UNIX),
            "abstract": socket.socket(socket.AF_UNIX),
        }
        made["tcp"].bind(("127.0.0.1", 0))
        made["udp"].bind(("127.0.0.1", 0))
        made["unix"].bind(str(self.root / "trap"))
        made["abstract"].bind(f"\0{self.token}")
        for name, each in made.items():
            each.setblocking(False)
            if name != "udp":
                each.listen()
        self._sockets = made

    def _spoken_to(self) -> Iterator[str]:
        for name, each in self._sockets.items():
            with contextlib.suppress(BlockingIOError):
                each.recv(1) if name == "udp" else each.accept()[0].close()
                yield name

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._heard.append("signalled another process")


def furnish(home: Path) -> None:
    """Make a home folder with something of every kind in it."""
    for folder in ("folder", "empty", ".cache"):
        (home / folder).mkdir(parents=True)
    texts = {"data.txt": "mine", "config.json": "{}", "folder/inner.txt": "a", ".bashrc": "#"}
    for name, text in {**texts, "helper.py": "x = 1\n", "rows.jsonl": '{"a": 1}\n'}.items():
        (home / name).write_text(text)
    (home / "link").symlink_to("data.txt")
    with contextlib.closing(sqlite3.connect(home / "data.db")) as database:
        database.executescript("create table t (a); insert into t values (1);")


def facts_of(home: Path) -> Facts:
    """Kind, mode, owner, time, attributes and contents of everything below a folder."""
    found: Facts = {}
    for path in [home, *sorted(home.rglob("*"))]:
        facts = path.lstat()
        contents: object = os.readlink(path) if path.is_symlink() else ""
        if stat.S_ISREG(facts.st_mode):
            contents = hashlib.sha256(path.read_bytes()).hexdigest()
        attributes = tuple(os.listxattr(path, follow_symlinks=False))
        owner = (facts.st_uid, facts.st_gid, facts.st_nlink)
        found[str(path.relative_to(home))] = (
            *(facts.st_mode, owner, facts.st_mtime_ns, attributes),
            contents,
        )
    return found


def differences(before: Facts, after: Facts) -> list[str]:
    """A line for each name that is new, gone or not what it was."""
    made = [f"made {name}" for name in after if name not in before]
    gone = [f"removed {name}" for name in before if name not in after]
    changed = [f"changed {name}" for name in before if after.get(name, 0) not in (before[name], 0)]
    return made + gone + [line for line in changed if line != "changed ." or not made + gone]


def _free_port() -> int:
    with contextlib.closing(socket.socket()) as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _queues(key: int) -> list[str]:
    found = []
    for kind in _QUEUES:
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
            found += [kind for line in lines if int(line.split()[0]) == key]
    return found


def _remove_queue(token: str) -> bool:
    return bool(ctypes.CDLL(None).mq_unlink(f"/{token}".encode()) == 0)


def _sweep(token: str, key: int) -> None:
    """Take away what a program left in the kernel's hands."""
    libc = ctypes.CDLL(None)
    for path in [*Path("/dev/shm").glob(f"*{token}*"), *Path("/tmp").glob(f"{token}*")]:
        path.unlink()
    if (memory := libc.shmget(key, 0, 0)) >= 0:
        libc.shmctl(memory, _REMOVE, None)
    if (semaphores := libc.semget(key, 0, 0)) >= 0:
        libc.semctl(semaphores, 0, _REMOVE)
    if (messages := libc.msgget(key, 0)) >= 0:
        libc.msgctl(messages, _REMOVE, None)
