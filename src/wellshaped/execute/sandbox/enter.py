"""Makes the program harmless in a child process made for it: no trace, no network, no programs.

It protects against accidents, not against malice: a program that wants out gets out. Writes go to
a scratch folder and are seen by later reads (`sandbox_overlay`, through Python's file functions
and the doors of `sandbox_natives`). Children that it forks are confined as it is, and commands
that only read are run (`sandbox_processes`). Under that lie three nets: an audit hook refuses what
slipped through, network, programs and signals to others (`sandbox_refusals`); Landlock denies
native code its writes, and TCP, signals and abstract sockets on newer kernels (`sandbox_kernel`); a
filter of system calls denies it metadata, queues and addresses (`sandbox_calls`). Where there is no
Landlock (macOS, Linux before 5.19) no program begins, unless the user agreed (`confinement`): then
native code that is behind no door can write. docs/sandbox.md lists what is not covered. POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellshaped.execute.sandbox import holders
from wellshaped.execute.sandbox import process_groups as sandbox_stores
from wellshaped.execute.sandbox.environment import SURROUNDINGS
from wellshaped.execute.sandbox.files import Files, file_functions
from wellshaped.execute.sandbox.kernel.confinement import is_landlocked, refusal
from wellshaped.execute.sandbox.kernel.landlock import deny_writes_outside
from wellshaped.execute.sandbox.kernel.syscall_filter import deny_calls
from wellshaped.execute.sandbox.library_standins import stand_ins, torch_functions
from wellshaped.execute.sandbox.natives import Doors, loaded_doors
from wellshaped.execute.sandbox.notes import Note, Notes, Refused, aside
from wellshaped.execute.sandbox.overlay import Overlay
from wellshaped.execute.sandbox.processes import Processes, process_functions
from wellshaped.execute.sandbox.rebind import rebind
from wellshaped.execute.sandbox.refusals import Refusals

__all__ = ["Note", "Refused", "Sandbox", "sandboxed"]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What keeps this process harmless: its folder, its notes, and whether Linux helps."""

    scratch: Path
    notes: list[Note]
    by_kernel: bool
    processes: Processes


def originals() -> list[Any]:
    """What `sandboxed` replaces in a process that has loaded what this one has."""
    functions = [*file_functions(), *process_functions(), os.kill, *torch_functions()]
    return [*functions, *loaded_doors(), *sandbox_stores.loaded_stores()]


def prepare_sandbox() -> None:
    """In a parent: look once for what holds that, so that its children need not."""
    holders.search_ahead(originals)


@contextlib.contextmanager
def sandboxed(scratch: Path) -> Iterator[Sandbox]:
    """Confine this process, for the rest of its life, to writing below `scratch`.

    Leaving the `with` block lifts nothing: exit handlers and threads of the program come after
    it. What the caller has to say goes into `scratch`, or over a pipe that is open already.
    """
    folder = os.path.realpath(scratch)
    os.makedirs(os.path.join(folder, "tmp"), exist_ok=True)
    notes, overlay = Notes(), Overlay(folder)
    files = Files(overlay, notes)
    processes = Processes(overlay, notes)
    refusals = Refusals(overlay, notes, processes)
    doors = Doors(files)
    own = [*files.replacements(), *processes.replacements(), *refusals.replacements()]
    others = [*doors.replacements(), *stand_ins(notes).replacements()]
    rebind([*own, *others, *sandbox_stores.replacements()])
    with aside:
        _settle(os.path.join(folder, "tmp"))
        by_kernel = is_landlocked() and deny_writes_outside(folder)
        if is_landlocked() and not by_kernel:
            raise refusal()
        deny_calls()
    sys.addaudithook(refusals.hook)
    try:
        yield Sandbox(Path(folder), notes.list, by_kernel, processes)
    finally:
        processes.leave_if_forked(1 if sys.exc_info()[0] else 0)
        with aside:
            processes.end()


def _settle(temporary: str) -> None:
    """Give the program an empty input, a place for temporary files, and no core dump."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    sys.dont_write_bytecode = True
    os.environ.update(SURROUNDINGS)
    os.environ["TMPDIR"] = tempfile.tempdir = temporary
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
