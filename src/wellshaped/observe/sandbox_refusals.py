"""The net under the overlay: an audit hook that refuses what would reach beyond this process."""

from __future__ import annotations

import _posixsubprocess
import os
import socket
from collections.abc import Callable
from typing import Any

from wellshaped.observe.sandbox_files import WRITING, is_device
from wellshaped.observe.sandbox_notes import Notes, aside
from wellshaped.observe.sandbox_overlay import Overlay, folder_of
from wellshaped.observe.sandbox_rebind import Replacement

_STARTS_PROGRAMS = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.forkpty"),
    *("os.startfile", "pty.spawn", "webbrowser.open"),
)
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
_LOCAL = (None, "", "localhost", "127.0.0.1", "::1")

Check = Callable[[str, tuple[Any, ...]], str | None]


class Refusals:
    """Judges audit events; a check answers with the target of what is to be refused, or None."""

    def __init__(self, overlay: Overlay, notes: Notes, *, allow_fork: bool) -> None:
        self._overlay = overlay
        self._notes = notes
        self._checks: dict[str, Check] = {
            **dict.fromkeys(_STARTS_PROGRAMS, _program),
            **dict.fromkeys(_LOOKS_UP, _host),
            **dict.fromkeys(_CONNECTS, self._address),
            **dict.fromkeys(_SIGNALS, _process),
            **dict.fromkeys(_CHANGES, self._changed),
            "open": self._opened,
            "sqlite3.connect": self._database,
        }
        if not allow_fork:
            self._checks["os.fork"] = _program

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """For `sys.addaudithook`; every event of Python passes here, so the first line decides."""
        check = self._checks.get(event)
        if check is None or aside.depth:
            return
        with aside:
            target = check(event, args)
        if target is not None:
            raise self._notes.refused(event, target)

    def replacements(self) -> list[tuple[Any, Any]]:
        """What starts programs and raises no event: `multiprocessing` spawns by it (3.11)."""

        def body(arguments: Any, *_: Any) -> None:
            raise self._notes.refused("fork_exec", " ".join(map(os.fsdecode, arguments)))

        fork_exec = _posixsubprocess.fork_exec
        return [(fork_exec, Replacement(fork_exec, body))]

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
        real = os.path.realpath(named)
        return None if self._overlay.is_ours(real) or is_device(real) else real

    def _address(self, _: str, args: tuple[Any, ...]) -> str | None:
        connection, address = args
        if address is None:  # `sendmsg` over what is connected already
            return None
        if connection.family != socket.AF_UNIX:
            return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
        name = os.fsdecode(address)
        is_file = name and not name.startswith("\0")
        return self._outside(name) if is_file else None


def _program(_: str, args: tuple[Any, ...]) -> str:
    command = args[1] if len(args) > 1 and args[1] else args[0] if args else "this program"
    words = command if isinstance(command, (list, tuple)) else [command]
    return " ".join(os.fsdecode(word) for word in words)


def _host(_: str, args: tuple[Any, ...]) -> str | None:
    name = args[0].decode(errors="replace") if isinstance(args[0], bytes) else args[0]
    return None if name in _LOCAL or name == socket.gethostname() else str(name)


def _process(event: str, args: tuple[Any, ...]) -> str | None:
    process, signal = args
    is_own = event == "os.kill" and process == os.getpid()
    if is_own or signal == 0:
        return None
    # The parent has another number in each run.
    return "its parent process" if process == os.getppid() else f"process {process}"
