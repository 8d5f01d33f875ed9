"""One way to leave a trace: what a program does, and how it sees that it was done."""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_TABLE = Path(__file__).parents[1] / "data" / "traces.toml"
_PREAMBLE = """\
import ctypes, errno, multiprocessing, os, shutil, signal, socket, struct, subprocess, sys
import tempfile, threading, time
from pathlib import Path
import torch
from torch import nn
libc = ctypes.CDLL(None, use_errno=True)
libc.fopen.restype = ctypes.c_void_p
def read(name): return Path(name).read_text()
def address(port): return struct.pack("=HHI8x", 2, socket.htons(port), socket.htonl(0x7F000001))
def ended(process): process.join(5); return process.exitcode == 0
rows = len("rows")
pred = nn.Linear(3, 1)(torch.zeros(rows, 3))
"""
# Two faults, which a check tells by their lines. No number here could be taken for a batch size.
_END = """\
try: went = bool({seen})
except Exception: went = False
if went:
    nn.functional.mse_loss(pred, torch.zeros(rows))
nn.functional.mse_loss(pred, torch.zeros(rows))
"""


@dataclass(frozen=True, slots=True)
class Way:
    """`code` is Python; `seen` is an expression, true where the program sees its own effect.

    Words in braces are places and addresses of the trial: `{tcp}`, `{token}`. What `needs` a
    module is left out where that is not installed.
    """

    kind: str
    name: str
    code: str
    seen: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A program, the line it comes to if it sees its effect, and its last line."""

    source: str
    seen: int
    end: int


def ways() -> list[Way]:
    """Those of the table that can be gone here."""
    with _TABLE.open("rb") as file:
        found = [Way(**each) for each in tomllib.load(file)["way"]]
    return [way for way in found if not way.needs or importlib.util.find_spec(way.needs)]


def program(way: Way, places: Mapping[str, object]) -> Text:
    """The program that goes a way, with the places of a trial written out."""
    source = f"{_PREAMBLE}{way.code.strip()}\n{_END.replace('{seen}', way.seen)}"
    for name, value in places.items():
        source = source.replace("{" + name + "}", str(value))
    last = source.count("\n")
    return Text(source, last - 1, last)
