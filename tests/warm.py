"""Runs commands of python in forks of one process that has loaded torch, each as if it were new.

`run` stands for `subprocess.run([sys.executable, ...])` and saves what loading torch takes. A
command has its own streams, folder, environment, arguments, filters of warnings and `__main__`,
and ends as an interpreter ends. Where the start itself is what is tested, start a process.
"""

from __future__ import annotations

import atexit
import builtins
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.machinery import SourceFileLoader
from typing import Any, Final

_USUAL: Final = (
    "torch",
    "wellshaped.cli",
    "wellshaped.pipeline.fix",
    "wellshaped.pipeline.picture",
)
_TRAINING: Final = (
    *("wellshaped.train.supervised", "wellshaped.train.reward.scoring", "wellshaped.train.rollout"),
    *("wellshaped.train.tasks.fit", "matplotlib.figure"),
    "transformers.models.gpt2.modeling_gpt2",
)
# What each kind of process has loaded.
KINDS: Final = {"usual": _USUAL, "training": (*_USUAL, *_TRAINING)}


def run(
    arguments: Sequence[str | os.PathLike[str]],
    *,
    input: Any = None,
    text: bool = False,
    timeout: float = 300,
    check: bool = False,
    **how: Any,
) -> subprocess.CompletedProcess[Any]:
    """What `python` with these arguments prints, and how it ends."""
    command = Command(arguments, **how)
    given = input.encode() if isinstance(input, str) else input or b""
    out, err = command.communicate(given, timeout)
    done = subprocess.CompletedProcess[Any](
        ["python", *command.arguments],
        command.returncode,
        *((_text(out), _text(err)) if text else (out, err)),
    )
    if check:
        done.check_returncode()
    return done


def _text(raw: bytes) -> str:
    return raw.decode().replace("\r\n", "\n")


class Command:
    """A command that has begun; several may run beside each other."""

    def __init__(
        self,
        arguments: Sequence[str | os.PathLike[str]],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        kind: str = "usual",
        merged: bool = False,
    ) -> None:
        self.arguments = [os.fspath(each) for each in arguments]
        self.returncode = 0
        job = {
            "arguments": self.arguments,
            "folder": os.path.abspath(cwd or os.getcwd()),
            "environment": dict(os.environ if env is None else env),
        }
        self._line, theirs = socket.socketpair()
        read, self._stdin = os.pipe()
        self._stdout, write = os.pipe()
        self._stderr, second = (os.open(os.devnull, os.O_RDONLY), write) if merged else os.pipe()
        socket.send_fds(_process(kind), [b"."], [theirs.fileno(), read, write, second])
        theirs.close()
        for number in {read, write, second}:
            os.close(number)
        self._line.sendall(json.dumps(job).encode() + b"\n")
        self._answers = self._line.makefile("r")
        self.pid = int(self._answers.readline())

    def communicate(self, given: bytes = b"", timeout: float = 300) -> tuple[bytes, bytes]:
        """Give it this to read, and take all that it prints until it ends."""
        clock = threading.Timer(timeout, os.kill, (self.pid, signal.SIGKILL))
        clock.start()
        found: dict[int, bytes] = {}
        readers = [
            threading.Thread(target=_read, args=(number, found))
            for number in (self._stdout, self._stderr)
        ]
        for reader in readers:
            reader.start()
        _write(self._stdin, given)
        for reader in readers:
            reader.join()
        self.returncode = int(self._answers.readline())
        late = not clock.is_alive()
        clock.cancel()
        clock.join()
        self._answers.close()
        self._line.close()
        if late:
            raise subprocess.TimeoutExpired(self.arguments, timeout)
        return found[self._stdout], found[self._stderr]


def _read(number: int, found: dict[int, bytes]) -> None:
    with os.fdopen(number, "rb") as stream:
        found[number] = stream.read()


def _write(number: int, given: bytes) -> None:
    try:
        with os.fdopen(number, "wb", buffering=0) as stream:
            while given:
                given = given[stream.write(given) or 0 :]
    except BrokenPipeError:
        pass  # it ended without reading it all


@cache
def _process(kind: str) -> socket.socket:
    """The line to the process of this kind, which is started once and ends with this one."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, __file__, kind, str(theirs.fileno())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    atexit.register(_end, process, ours)
    return ours


def _end(process: subprocess.Popen[bytes], line: socket.socket) -> None:
    line.close()
    process.wait()


def _serve(kind: str, number: int) -> Callable[[], None]:
    """Fork for every command that comes; in the fork, what it is to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in KINDS[kind]:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a fork that looks for garbage would copy all of it
    line = socket.socket(fileno=number)
    while True:
        sign, given, _, _ = socket.recv_fds(line, 1, 4)
        if not sign:
            os._exit(0)
        if os.fork() == 0:
            line.close()
            return _watched(socket.socket(fileno=given[0]), given[1:])
        for each in given:
            os.close(each)
        while _reaped():
            pass


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _watched(asked: socket.socket, streams: list[int]) -> Callable[[], None]:
    """Fork once more, and tell how that one ends."""
    with asked.makefile("r") as lines:
        job = json.loads(lines.readline())
    child = os.fork()
    if child == 0:
        asked.close()
        for place, number in enumerate(streams):
            os.dup2(number, place)
        for number in set(streams):
            os.close(number)
        return lambda: _as_new(job)
    for number in set(streams):
        os.close(number)
    os.closerange(0, 3)
    asked.sendall(f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    asked.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _as_new(job: dict[str, Any]) -> None:
    """Run a command in this process, which was forked for it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _enter(job["folder"], job["environment"])
    arguments = job["arguments"]
    sys.orig_argv = [sys.executable, *arguments]
    arguments = _flags(arguments, job["environment"])
    main = types.ModuleType("__main__")
    main.__dict__.update({"__builtins__": builtins, "__annotations__": {}})
    sys.modules["__main__"] = main
    try:
        _begin(arguments, main)
    except SystemExit:
        raise
    except BaseException as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        if isinstance(error, KeyboardInterrupt):
            sys.stdout.flush()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        raise SystemExit(1) from None


def _enter(folder: str, environment: dict[str, str]) -> None:
    before = os.environ.get("PYTHONPATH", "")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    added = [os.path.abspath(each) for each in environment.get("PYTHONPATH", "").split(":") if each]
    sys.path[1:] = added + sys.path[1 + len([each for each in before.split(":") if each]) :]
    if threads := environment.get("OMP_NUM_THREADS"):
        import torch

        torch.set_num_threads(int(threads))


def _flags(arguments: list[str], environment: dict[str, str]) -> list[str]:
    """Do as the options and the variables of python say; the arguments without those options."""
    filters = [each for each in environment.get("PYTHONWARNINGS", "").split(",") if each]
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    arguments = list(arguments)
    while arguments[0] in ("-W", "-B"):
        if arguments.pop(0) == "-W":
            filters.append(arguments.pop(0))
        else:
            sys.dont_write_bytecode = True
    sys.warnoptions[:] = filters
    for each in filters:
        action, *rest = each.split(":")
        assert not any(rest), f"this filter cannot be set here: {each}"
        warnings.simplefilter(action)  # type: ignore[arg-type]
    return arguments


def _begin(arguments: list[str], main: types.ModuleType) -> None:
    first, *rest = arguments
    if first == "-m":
        sys.path[0] = os.getcwd()
        sys.argv = rest
        runpy._run_module_as_main(rest[0])  # type: ignore[attr-defined]
    elif first == "-c":
        sys.path[0] = ""
        sys.argv = ["-c", *rest[1:]]
        main.__dict__.update({"__spec__": None, "__loader__": None})
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        sys.argv = arguments
        file = os.path.abspath(first)
        sys.path[0] = os.path.dirname(os.path.realpath(file))
        loader = SourceFileLoader("__main__", file)
        main.__dict__.update({"__file__": file, "__cached__": None, "__loader__": loader})
        with open(file, "rb") as source:
            code = compile(source.read(), file, "exec")
        exec(code, main.__dict__)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))()
