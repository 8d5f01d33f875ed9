"""Lets a run read other text than the files hold: an edited program, another number in it."""

from __future__ import annotations

import contextlib
import io
import linecache
import os
from collections.abc import Iterator, Mapping
from importlib.machinery import SourceFileLoader
from typing import Any

from wellshaped.notebook.splice import whole_texts


@contextlib.contextmanager
def other_source(sources: Mapping[str, str]) -> Iterator[None]:
    """Files whose text is another one for this run: the program itself, or its modules."""
    sources = whole_texts(sources)
    texts = {os.path.realpath(file): text for file, text in sources.items()}
    for file, text in sources.items():
        lines = text.splitlines(keepends=True)
        linecache.cache[file] = (len(text), None, lines, file)
    plain_open, plain_data = io.open_code, SourceFileLoader.get_data

    def open_code(path: str) -> Any:
        text = texts.get(os.path.realpath(path))
        return plain_open(path) if text is None else io.BytesIO(text.encode())

    def get_data(self: Any, path: str) -> bytes:
        text = texts.get(os.path.realpath(path))
        if text is not None:
            return text.encode()
        data: bytes = plain_data(self, path)
        return data

    vars(open_code)["replaces"] = plain_open  # found where that was (`sandbox.holders`)
    io.open_code = open_code
    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    try:
        yield
    finally:
        io.open_code = plain_open
        SourceFileLoader.get_data = plain_data  # type: ignore[method-assign]
