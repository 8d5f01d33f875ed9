"""Reads the text of an error that was pasted: the one place that knows torch's own words."""

from __future__ import annotations

import re
from dataclasses import replace

from wellshaped.contracts.registry import ROWS
from wellshaped.observe.message.tables import patterns
from wellshaped.observe.message.text import PastedError, errors_of
from wellshaped.records.message import Pasted
from wellshaped.records.source import Passage

_LIBRARY = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib[\\/]python\d|<frozen |<__array_function__"
    r"|[\\/]torch[\\/](?:nn|utils|autograd|optim|_|functional\.py)"
)
_PARTS = {
    "linear.py": "linear",
    "conv.py": "conv",
    "rnn.py": "rnn",
    "sparse.py": "embedding",
    "batchnorm.py": "norm",
    "normalization.py": "norm",
    "instancenorm.py": "norm",
    "transformer.py": "attention",
    "pooling.py": "pool",
    "loss.py": "loss",
    "collate.py": "collate",
}
_MODULES = {row.module: row.name for row in ROWS.values() if row.module}
_CALLS = re.compile(r"\b(?:F|functional|nn)\.(\w+)\(")
_LONGEST = 20_000


def read_message(text: str) -> Pasted:
    """What a text says: of its last error, or of one before that where only that is known."""
    errors = errors_of(text)
    told = [_told(error, errors[place + 1 :]) for place, error in enumerate(errors)]
    return next((each for each in told if each.kind), told[0])


def _told(error: PastedError, before: list[PastedError]) -> Pasted:
    frames = error.frames
    own = [each for each in frames if not _is_library(each)]
    if not own:  # a worker of a DataLoader raised: the line that asked it stands further up
        earlier = ([each for each in one.frames if not _is_library(each)] for one in before)
        own = next((found for found in earlier if found), [])
    inner = _behind(frames)
    parts = tuple(dict.fromkeys(part for each in inner if (part := _part(each))))
    message = " ".join(error.text[:_LONGEST].split())
    told = Pasted(error.type, message, parts=parts, passages=tuple(reversed(own)))
    for pattern in patterns():
        values = pattern.read(message)
        if values is not None:
            callee = values.pop("callee", "") or _loss(inner, own) or pattern.callee
            return replace(told, kind=pattern.kind, callee=str(callee), values=values)
    return told


def _is_library(frame: Passage) -> bool:
    return bool(_LIBRARY.search(frame.place.file))


def _behind(frames: tuple[Passage, ...]) -> list[Passage]:
    """The frames of libraries behind the reader's last own line."""
    found: list[Passage] = []
    for frame in reversed(frames):
        if not _is_library(frame):
            break
        found.append(frame)
    return found[::-1]


def _part(frame: Passage) -> str:
    """The part of torch that a frame belongs to."""
    place = frame.place
    file = re.split(r"[\\/]", place.file)[-1]
    if file == "functional.py" and place.function in ROWS:
        return "loss"
    if place.function == "multi_head_attention_forward":
        return "attention"
    if place.function == "backward" and file in ("_tensor.py", "__init__.py"):
        return "backward"
    return _PARTS.get(file, "")


def _loss(inner: list[Passage], own: list[Passage]) -> str:
    """The loss that was called: a frame is in it, or the line that failed calls it."""
    for frame in inner:
        if frame.place.function in ROWS:
            return frame.place.function
    shown = inner[-1:] or own[-1:]
    for name in _CALLS.findall(shown[0].lines[0][1] if shown and shown[0].lines else ""):
        if name in ROWS or name in _MODULES:
            return name if name in ROWS else _MODULES[name]
    return ""
