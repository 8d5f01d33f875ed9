"""Finds the user's own line among the frames of libraries."""

from __future__ import annotations

import sys
from types import FrameType

from wellshaped.records.observation import Place

_OURS = ("torch", "wellshaped")


def user_place() -> Place:
    """The innermost line that belongs neither to torch nor to this package."""
    frame: FrameType | None = sys._getframe(1)
    last = frame
    while frame is not None:
        last = frame
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package not in _OURS:
            break
        frame = frame.f_back
    assert last is not None
    return Place(last.f_code.co_filename, last.f_lineno, last.f_code.co_name)
