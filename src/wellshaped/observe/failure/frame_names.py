"""The tensors and whole numbers that the user's functions held when a call of theirs failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellshaped.records.observation import FrameNames
from wellshaped.records.shape import TensorFact
from wellshaped.source import Stop, fact_of, is_library

_MOST_FRAMES = 6
_MOST_NAMES = 60


def frame_names(chain: list[Stop]) -> tuple[FrameNames, ...]:
    """What the user's frames of a traceback held, the innermost first."""
    own = [stop for stop in reversed(chain) if not is_library(stop.file)]
    return tuple(_held(stop) for stop in own[:_MOST_FRAMES])


def _held(stop: Stop) -> FrameNames:
    names = dict(stop.frame.f_locals)
    used = stop.frame.f_code.co_names
    names |= {name: stop.frame.f_globals[name] for name in used if name in stop.frame.f_globals}
    found = list(_known(names))
    owner = names.pop("self", None)
    own = _attributes(owner)
    found += [(f"self.{name}", each) for name, each in _known(own)]
    settings = {**names, **{f"self.{name}": each for name, each in own.items()}}
    for name, value in settings.items():
        held = _attributes(value) if is_settings(value) else {}
        found += [(f"{name}.{key}", each) for key, each in _known(held) if type(each) is int]
    return FrameNames(stop.place, tuple(found[:_MOST_NAMES]))


def _attributes(value: Any) -> dict[str, Any]:
    held = getattr(value, "__dict__", None)
    return dict(held) if isinstance(held, dict) else {}


def is_settings(value: Any) -> bool:
    """Whether an object holds plain settings, as a namespace of options or a configuration does."""
    held = _attributes(value)
    plain = (int, float, str, bool, tuple, list, dict, type(None))
    return bool(held) and all(type(each) in plain for each in held.values())


def _known(names: Mapping[str, Any]) -> Iterator[tuple[str, TensorFact | int]]:
    for name, value in names.items():
        fact = value if type(value) is int and value > 0 else fact_of(value)
        if fact is not None and not name.startswith("__"):
            yield name, fact
