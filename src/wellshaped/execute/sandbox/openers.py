"""Python's `open` and `FileIO`, made to ask our `os.open` for their descriptor.

The `opener` argument does it: the file keeps the name that the program gave.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from wellshaped.execute.sandbox.notes import aside
from wellshaped.execute.sandbox.rebind import Replacement

Opener = Callable[[Any, int], int]


def opening(original: Callable[..., Any], os_open: Replacement) -> Replacement:
    """What stands in for `open`."""

    def body(
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Opener | None = None,
    ) -> Any:
        asked = None if isinstance(file, int) else _not_aside(opener, os_open)
        return original(file, mode, buffering, encoding, errors, newline, closefd, asked)

    return Replacement(original, body)


def file_io(original: type[io.FileIO], os_open: Replacement) -> type[io.FileIO]:
    """What stands in for the class `FileIO`, by which torch opens names that are not ASCII."""

    class Kind(type(original)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: object) -> bool:
            asked = original if cls is FileIO else cls  # those that `open` makes count too
            return type.__instancecheck__(asked, instance)

    class FileIO(original, metaclass=Kind):  # type: ignore[misc,valid-type]
        def __init__(
            self, file: Any, mode: str = "r", closefd: bool = True, opener: Opener | None = None
        ) -> None:
            if not isinstance(file, int) and not aside.depth:
                opener = _not_aside(opener, os_open)
            with aside:
                super().__init__(file, mode, closefd, opener)

    FileIO.__module__, FileIO.__qualname__ = original.__module__, original.__qualname__
    return FileIO


def _not_aside(opener: Opener | None, os_open: Replacement) -> Opener:
    """The opener, run as the program's own call: the audit event of `open` comes before it."""

    def asked(path: Any, flags: int) -> int:
        depth, aside.depth = aside.depth, 0
        try:
            return int(os_open(path, flags, 0o666) if opener is None else opener(path, flags))
        finally:
            aside.depth = depth

    return asked
