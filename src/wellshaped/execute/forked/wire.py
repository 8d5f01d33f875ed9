"""Records as plain data in a pipe: what comes out of it is read, never executed.

A *frame* is a magic word, its kind, a length, a digest with the key of the run, and JSON. What
something else writes into the pipe has no digest: it ends the reading, and nothing of it is used.
JSON has no tuples, sets or records: each of them is a list that begins with a tag. Records are
dataclasses of this package that are imported already; their fields are set, no code of theirs runs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import math
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wellshaped.records.phrase import Phrase, UserError

_MAGIC = b"\x89wellshaped\r\n"
_HEAD = struct.Struct(f"<{len(_MAGIC)}scQ16s")
_LARGEST = 1 << 30
_PLAIN = (str, int, float, bool, type(None))
_PACKAGE = __name__.partition(".")[0]


class NotPlain(TypeError):
    """A value that is no plain data, or bytes that are no record."""


def frame_of(value: Any, *, key: bytes, kind: bytes = b"=") -> bytes:
    """A frame with the value, for a reader who knows the key; `kind` is one byte."""
    body = to_json(value)
    return _HEAD.pack(_MAGIC, kind, len(body), _digest(kind, body, key)) + body


@dataclass(slots=True)
class Frames:
    """Takes bytes as they come and gives the frames in them; `garbled` is for good."""

    key: bytes
    garbled: bool = False
    _left: bytearray = field(default_factory=bytearray)

    def take(self, part: bytes) -> Iterator[tuple[bytes, Any]]:
        """The kind and the value of each frame that is complete now."""
        self._left += part
        while not self.garbled and len(self._left) >= _HEAD.size:
            magic, kind, length, digest = _HEAD.unpack_from(self._left)
            self.garbled = magic != _MAGIC or length > _LARGEST
            if self.garbled or len(self._left) < _HEAD.size + length:
                return
            body = bytes(self._left[_HEAD.size : _HEAD.size + length])
            del self._left[: _HEAD.size + length]
            self.garbled = digest != _digest(kind, body, self.key)
            if not self.garbled:
                yield kind, decoded(body)

    @property
    def cut(self) -> bool:
        """Whether the last frame is not complete."""
        return bool(self._left)


def unpacked(data: bytes, *, key: bytes) -> Any:
    """The value of the one frame that the bytes are."""
    frames = Frames(key)
    values = [value for _, value in frames.take(data)]
    if frames.garbled or frames.cut or len(values) != 1:
        raise NotPlain("these bytes are not one frame")
    return values[0]


def to_json(value: Any) -> bytes:
    """The value as JSON; raises `NotPlain` for what is no plain data."""
    writer = _Writer()
    body = writer.plain(value)
    kinds = [[_name(kind), list(names)] for kind, names in writer.kinds.items()]
    return json.dumps([kinds, body], separators=(",", ":"), allow_nan=False).encode()


def decoded(data: bytes) -> Any:
    """The value that was encoded; raises `NotPlain` for anything else."""
    try:
        kinds, body = json.loads(data)
        return _Reader([_kind(name, names) for name, names in kinds]).value(body)
    except NotPlain:
        raise
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise NotPlain(f"no record: {error}") from error


def _digest(kind: bytes, body: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(kind + body, digest_size=16, key=key).digest()


@dataclass(slots=True)
class _Writer:
    """Turns a value into lists for JSON; a record that is met again is a reference to the first."""

    kinds: dict[type, tuple[str, ...]] = field(default_factory=dict)
    met: dict[int, int] = field(default_factory=dict)

    def plain(self, value: Any) -> Any:
        if type(value) in _PLAIN and (type(value) is not float or math.isfinite(value)):
            return value
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        write = _WRITERS.get(type(value)) or _of_others(value) or _of_parents(value)
        if write is None:
            raise NotPlain(f"{type(value).__module__}.{type(value).__qualname__} is no plain data")
        return [write[0], *(map(self.plain, write[1](value)))]

    def _record(self, value: Any) -> list[Any]:
        if id(value) in self.met:
            return ["@", self.met[id(value)]]
        kind = type(value)
        if kind not in self.kinds:
            _kind(_name(kind), [each.name for each in dataclasses.fields(kind)])
            self.kinds[kind] = tuple(each.name for each in dataclasses.fields(kind))
        number = list(self.kinds).index(kind)
        fields = [self.plain(getattr(value, name)) for name in self.kinds[kind]]
        self.met[id(value)] = len(self.met)
        return ["r", number, *fields]


@dataclass(slots=True)
class _Reader:
    """The way back; records are counted in the order in which the writer finished them."""

    kinds: list[type]
    made: list[Any] = field(default_factory=list)

    def value(self, body: Any) -> Any:
        if not isinstance(body, list):
            if isinstance(body, dict):
                raise NotPlain("a JSON object is no value of ours")
            return body
        tag, *rest = body
        if tag == "@":
            return self.made[rest[0]]
        if tag == "r":
            return self._record(self.kinds[rest[0]], [self.value(each) for each in rest[1:]])
        return _READERS[tag]([self.value(each) for each in rest])

    def _record(self, kind: type, values: list[Any]) -> Any:
        record: Any = object.__new__(kind)
        for each, value in zip(_fields(kind), values, strict=True):
            object.__setattr__(record, each, value)
        self.made.append(record)
        return record


def _fields(kind: Any) -> list[str]:
    return [each.name for each in dataclasses.fields(kind)]


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _kind(name: str, names: list[str]) -> type:
    """The record of this name, if it is one of ours, is loaded, and has these fields."""
    found = _ours(name)
    if not dataclasses.is_dataclass(found) or _fields(found) != names:
        raise NotPlain(f"{name} is no record of ours")
    return found


def _ours(name: str) -> type:
    """A class of this package that is loaded."""
    module, _, inner = name.partition(":")
    found = vars(sys.modules[module]).get(inner) if module in sys.modules else None
    if module.partition(".")[0] != _PACKAGE or not isinstance(found, type):
        raise NotPlain(f"{name} is no class of ours")
    return found


def _told(parts: list[Any]) -> UserError:
    """An error of ours, with its code and its message, without running its own `__init__`."""
    name, code, message = parts
    module = str(name).partition(":")[0]
    kind = (
        _ours(name) if module in sys.modules else UserError
    )  # who has not loaded it cannot ask for it
    if not issubclass(kind, UserError) or not isinstance(message, Phrase):
        raise NotPlain(f"{name} is no error of ours")
    error = kind.__new__(kind)
    UserError.__init__(error, code, message.name, **message.facts)
    return error


Parts = Callable[[Any], Any]
Write = tuple[str, Parts]


def _pairs(value: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    return iter(value.items())


def _as_text(value: Any) -> tuple[str]:
    return (str(value).removeprefix("torch."),)


_WRITERS: dict[type, Write] = {
    tuple: ("t", iter),
    list: ("l", iter),
    set: ("s", iter),
    frozenset: ("f", iter),
    dict: ("d", _pairs),
    bytes: ("b", lambda value: (value.hex(),)),
    float: ("n", lambda value: (repr(value),)),
    complex: ("c", lambda value: (value.real, value.imag)),
    slice: ("slice", lambda value: (value.start, value.stop, value.step)),
    range: ("range", lambda value: (value.start, value.stop, value.step)),
    type(...): ("...", lambda _: ()),
}
# What is ours or the program's in kind, and plain data in substance: a `StrEnum`, a named tuple.
_PARENTS: tuple[tuple[type, Write], ...] = (
    (UserError, ("told", lambda error: (_name(type(error)), error.code, error.message))),
    (str, ("", lambda value: (str.__str__(value),))),
    (int, ("", lambda value: (int(value),))),
    (float, ("", lambda value: (float(value),))),
    (tuple, ("t", iter)),
    (list, ("l", iter)),
    (dict, ("d", _pairs)),
)
_READERS: dict[str, Callable[[list[Any]], Any]] = {
    "": lambda parts: parts[0],
    "t": tuple,
    "l": list,
    "s": set,
    "f": frozenset,
    "d": dict,
    "b": lambda parts: bytes.fromhex(parts[0]),
    "n": lambda parts: float(parts[0]),
    "c": lambda parts: complex(*parts),
    "slice": lambda parts: slice(*parts),
    "range": lambda parts: range(*parts),
    "...": lambda _: ...,
    "told": _told,
    "size": lambda parts: _torch().Size(parts),
    "dtype": lambda parts: _of_name(parts[0], "dtype"),
    "layout": lambda parts: _of_name(parts[0], "layout"),
    "memory_format": lambda parts: _of_name(parts[0], "memory_format"),
    "device": lambda parts: _torch().device(parts[0]),
}


def _torch() -> Any:
    return importlib.import_module("torch")


def _of_others(value: Any) -> Write | None:
    """How the plain values of torch and NumPy are written; neither is loaded for asking."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return "", lambda value: (value.item(),)
    if torch is None:
        return None
    if isinstance(value, torch.Size):
        return "size", iter
    names = ("dtype", "layout", "memory_format", "device")
    return next(((n, _as_text) for n in names if isinstance(value, getattr(torch, n))), None)


def _of_name(name: str, kind: str) -> Any:
    torch = _torch()
    found = getattr(torch, name, None)
    if not isinstance(found, getattr(torch, kind)):
        raise NotPlain(f"torch.{name} is no {kind}")
    return found


def _of_parents(value: Any) -> Write | None:
    return next((write for parent, write in _PARENTS if isinstance(value, parent)), None)
