"""Reads an exception into plain facts while its frames are alive."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from typing import Any, Final

from wellshaped.records.failure import Frame, Raised
from wellshaped.source.frames import Stop, is_library, is_own, stops

_MOST_FRAMES: Final = 5
_LONGEST: Final = 10_000
# By these names the libraries of the hub hold what they were asked for.
_REPOSITORIES: Final = ("repo_id", "pretrained_model_name_or_path")


def raised_of(error: BaseException) -> Raised:
    """The facts of an exception."""
    found = [stop for stop in stops(error.__traceback__) if not _is_hidden(stop.file)]
    own = [stop for stop in found if not is_library(stop.file)]
    frames = tuple(_shown(own, found, error))
    repository, is_dataset = _repository(found)
    return Raised(
        type(error).__name__,
        _text(error),
        tuple(dict.fromkeys(_kinds(error))),
        frames,
        module=str(getattr(error, "name", None) or ""),
        path=str(getattr(error, "filename", None) or ""),
        repository=repository,
        is_dataset=is_dataset,
        is_relative_import=isinstance(error, ImportError) and _is_relative(own),
    )


def _is_hidden(file: str) -> bool:
    """Frames that no traceback of plain python shows, or that say nothing."""
    return is_own(file) or file == "sys" or file.startswith("<frozen")


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_LONGEST]
    except Exception:  # the program's own class may fail to describe itself
        return ""


def _kinds(error: BaseException) -> Iterator[str]:
    """The classes of an exception and of those before it, each with its module."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        for kind in type(link).__mro__[:-1]:
            yield f"{kind.__module__}.{kind.__qualname__}"
        link = link.__cause__ or link.__context__


def _shown(own: Sequence[Stop], found: Sequence[Stop], error: BaseException) -> Iterator[Frame]:
    yield from map(_frame, own[-_MOST_FRAMES:])
    if found and found[-1] not in own[-1:]:
        yield _frame(found[-1])
    if isinstance(error, SyntaxError) and error.filename:  # of a file that was being imported
        yield Frame(error.filename, error.lineno or 0, "", (error.text or "").strip())


def _frame(stop: Stop) -> Frame:
    text = linecache.getline(stop.file, stop.line, stop.frame.f_globals).strip()
    return Frame(stop.file, stop.line, stop.name, text)


def _is_relative(own: Sequence[Stop]) -> bool:
    """Whether a line of a file that belongs to no package imports from its package."""
    if not own:
        return False
    return not own[-1].frame.f_globals.get("__package__") and _frame(own[-1]).text.startswith(
        "from ."
    )


def _repository(found: Sequence[Stop]) -> tuple[str, bool]:
    """The repository of a hub that a library was asked for, and whether it is one of data."""
    for stop in found:
        if not is_library(stop.file):
            continue
        held: dict[str, Any] = stop.frame.f_locals
        for name in _REPOSITORIES:
            value = held.get(name)
            if isinstance(value, str) and value:
                return value, held.get("repo_type") == "dataset"
    return "", False
