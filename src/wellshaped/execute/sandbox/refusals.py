"""The net under the overlay: an audit hook that refuses what would reach beyond this process."""

from __future__ import annotations

import functools
import os
import socket
from collections.abc import Callable
from typing import Any

from wellshaped.execute.sandbox.files import WRITING, is_device
from wellshaped.execute.sandbox.notes import Notes, aside
from wellshaped.execute.sandbox.overlay import Overlay, folder_of
from wellshaped.execute.sandbox.processes import Processes

_STARTS_PROGRAMS = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.forkpty"),
    *("os.startfile", "pty.spawn", "webbrowser.open"),
)
_ANSWERED = ("subprocess.Popen", "os.system")  # where a command that only reads is run
_LOOKS_UP = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_CONNECTS = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_SIGNALS = ("os.kill", "os.killpg")
# Which arguments of an event are files that it changes.
_CHANGES = {
    **dict.fromkeys(("os.remove", "os.rmdir", "os.mkdir", "os.truncate"), (0,)),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"), (0,)),
    **dict.fromkeys(("os.rename", "os.link"), (0, 1)),
    **dict.fromkeys(("os.symlink",), (1,)),
}
_ANY_FREE_PORT = 0
_SHARED_MEMORY = "/dev/shm/"
_LOCAL = (None, "", "localhost", "127.0.0.1", "::1")

Check = Callable[[str, tuple[Any, ...]], str | None]


class Refusals:
    """Judges audit events; a check answers with the target of what is to be refused, or None."""

    def __init__(self, overlay: Overlay, notes: Notes, processes: Processes) -> None:
        self._overlay = overlay
        self._notes = notes
        self._processes = processes
        self._abstract: set[str] = set()  # names without a file, at which the program listens
        self._checks: dict[str, Check] = {
            **dict.fromkeys(_STARTS_PROGRAMS, self._program),
            **dict.fromkeys(_LOOKS_UP, _host),
            **dict.fromkeys(_CONNECTS, self._address),
            **dict.fromkeys(_SIGNALS, self._process),
            **dict.fromkeys(_CHANGES, self._changed),
            "open": self._opened,
            "sqlite3.connect": self._database,
        }

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """For `sys.addaudithook`; every event of Python passes here, so the first line decides."""
        check = self._checks.get(event)
        if check is None or aside.depth:
            return
        with aside:
            target = check(event, args)
        if target is not None:
            raise self._notes.refused(event, target)

    def _program(self, event: str, args: tuple[Any, ...]) -> str | None:
        command = args[1] if len(args) > 1 and args[1] else args[0] if args else "this program"
        is_answered = event in _ANSWERED and not self._processes.refuses(command)
        words = command if isinstance(command, (list, tuple)) else [command]
        return None if is_answered else " ".join(os.fsdecode(word) for word in words)

    def replacements(self) -> list[tuple[Any, Any]]:
        """What the kernel answers otherwise than it would without a sandbox."""
        return [(os.kill, _asking_kill(os.kill))]

    def _process(self, event: str, args: tuple[Any, ...]) -> str | None:
        process, signal = args
        is_own = event == "os.kill" and (
            process == os.getpid() or self._processes.is_child(process)
        )
        if is_own or signal == 0:
            return None
        # The parent has another number in each run.
        return "its parent process" if process == os.getppid() else f"process {process}"

    def _opened(self, _: str, args: tuple[Any, ...]) -> str | None:
        path, _mode, flags = args
        return self._outside(path) if flags & WRITING else None

    def _changed(self, event: str, args: tuple[Any, ...]) -> str | None:
        return next(filter(None, (self._outside(args[at]) for at in _CHANGES[event])), None)

    def _database(self, _: str, args: tuple[Any, ...]) -> str | None:
        name = os.fsdecode(args[0])
        path = name.removeprefix("file:").partition("?")[0]
        is_memory = ":memory:" in name or "mode=memory" in name or not path
        return None if is_memory else self._outside(path)

    def _outside(self, path: Any) -> str | None:
        """The real path, if writing there would change a file that is not in the scratch folder."""
        named = folder_of(path) if isinstance(path, int) else os.fsdecode(path)
        if isinstance(path, int) and named.startswith(_SHARED_MEMORY):
            return None  # open already: a segment of the program's own
        real = os.path.realpath(named)
        return None if self._overlay.is_ours(real) or is_device(real) else real

    def _address(self, event: str, args: tuple[Any, ...]) -> str | None:
        connection, address = args
        if event == "socket.bind" and isinstance(address, tuple) and address[1] == _ANY_FREE_PORT:
            return None  # how programs look for a free port, and urllib3 for IPv6
        if address is None:  # `sendmsg` over what is connected already
            return None
        if connection.family != socket.AF_UNIX:
            return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
        name = os.fsdecode(address)
        if name and not name.startswith("\0"):
            return self._outside(name)
        if event == "socket.bind":
            self._abstract.add(name)
        return None if name in self._abstract else f"@{name[1:]}"


def _asking_kill(original: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """`os.kill`, where signal 0 still asks whether a process is there: Landlock denies that too."""

    @functools.wraps(original)
    def kill(pid: int, signal: int, /) -> None:
        try:
            original(pid, signal)
        except PermissionError:
            if signal:
                raise

    del kill.__wrapped__  # `rebind` would make it its own
    return kill


def _host(_: str, args: tuple[Any, ...]) -> str | None:
    name = args[0].decode(errors="replace") if isinstance(args[0], bytes) else args[0]
    return None if name in _LOCAL or name == socket.gethostname() else str(name)
