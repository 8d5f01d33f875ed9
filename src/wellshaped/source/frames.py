"""Tells the user's own frames from those of libraries."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType, TracebackType

from wellshaped.records.source import Place

_PACKAGE = str(Path(__file__).parents[1])
_LIBRARIES = tuple(
    str(Path(path).resolve())
    for key, path in sysconfig.get_paths().items()
    if key in ("stdlib", "platstdlib", "purelib", "platlib")
)
# A module of ours that sets this stands between the program and torch: no part of any traceback.
_BETWEEN = "__between_program_and_torch__"
_MOST_CALLERS = 4
# Sources of Cython, which its functions name in their frames.
_COMPILED = (".pyx", ".pxi", ".pxd")
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Stop:
    """A frame of a traceback and where it stopped."""

    frame: FrameType
    lasti: int
    line: int

    @property
    def file(self) -> str:
        """The file of its code."""
        return self.frame.f_code.co_filename

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.frame.f_code.co_name

    @property
    def place(self) -> Place:
        """Its line, for showing."""
        name = "" if self.name == "<module>" else self.name
        return Place(self.file, self.line, name)


def stops(traceback: TracebackType | None) -> list[Stop]:
    """The frames of a traceback, outermost first."""
    found = []
    while traceback is not None:
        found.append(Stop(traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    return [stop for stop in found if _BETWEEN not in stop.frame.f_globals]


def live_stops(frame: FrameType | None) -> list[Stop]:
    """The frames of a running call, outermost first."""
    found = []
    while frame is not None:
        found.append(Stop(frame, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    return found[::-1]


@lru_cache(maxsize=1024)
def is_library(file: str) -> bool:
    """Whether a file belongs to Python, to an installed package, or to this one."""
    if file.startswith(("<frozen", "<string>")) or file == "sys":
        return True
    if file.startswith("<"):
        return False  # a notebook cell or code the user made
    if file.endswith(_COMPILED) and not Path(file).is_file():
        return True  # built elsewhere, from a path that is relative to its own project
    resolved = str(Path(file).resolve())
    if resolved.startswith(_PACKAGE) or any(part in resolved for part in _INSTALLED):
        return True
    return resolved.startswith(_LIBRARIES)


def is_own(file: str) -> bool:
    """Whether a file belongs to this package: its modes stand between the program and torch."""
    return file.startswith(_PACKAGE)


def user_place() -> Place:
    """The innermost line that belongs to the user's program."""
    found = live_stops(sys._getframe(1))
    return next((stop for stop in reversed(found) if not is_library(stop.file)), found[0]).place


def callers_of(frame: FrameType | None) -> Iterator[FrameType]:
    """A function of the program and some of those that called it, the nearest first."""
    own = 0
    while frame is not None and own < _MOST_CALLERS:
        if not is_library(frame.f_code.co_filename):
            own += 1
            yield frame
        frame = frame.f_back
