"""A notebook as it is stored: its text, and its code cells with the places of their sources."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellshaped.notebook import SUFFIX
from wellshaped.notebook.layout import Range, after_blanks, array_elements, members
from wellshaped.records.phrase import UserError
from wellshaped.records.source import cell_file

_FORMAT = 4
_PYTHON = ("python", "ipython", "python3")


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: the file name it goes by, its source, and where that stands in the notebook."""

    file: str
    number: int
    source: str
    place: Range
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook of Python: its whole text, and the code cells in their order."""

    file: str
    text: str
    cells: tuple[Cell, ...]

    def cell(self, number: int) -> Cell | None:
        """The code cell with that number."""
        return next((each for each in self.cells if each.number == number), None)


class NotReadable(UserError):
    """A notebook that cannot be read as a program."""


def is_notebook(file: str) -> bool:
    """Whether a file name is that of a notebook."""
    return file.endswith(SUFFIX)


def read_notebook(file: str) -> Notebook:
    """The notebook in a file."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise NotReadable("WS930", "cannot_open", file=file, reason=reason) from error
    return parse_notebook(data, file)


def parse_notebook(data: bytes, file: str) -> Notebook:
    """The notebook in these bytes, which are those of a file of this name."""
    try:
        text = data.decode("utf-8-sig")
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _broken(error, file) from error
    _refuse_others(content, file)
    cells = tuple(_code_cells(text, content, os.path.realpath(file)))
    if not any(each.source.strip() for each in cells):
        raise NotReadable("WS951", "no_code_cells", file=file)
    return Notebook(file, text, cells)


def _broken(error: Exception, file: str) -> NotReadable:
    if isinstance(error, json.JSONDecodeError):
        facts = {"line": error.lineno, "column": error.colno}
        return NotReadable("WS950", "broken_json", file=file, **facts)
    is_bytes = isinstance(error, UnicodeDecodeError)
    return NotReadable("WS950", "not_utf8" if is_bytes else "too_nested", file=file)


def _refuse_others(content: Any, file: str) -> None:
    """Nothing but notebooks of the current format, in Python, goes on from here."""
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        raise NotReadable("WS950", "no_nbformat", file=file)
    if content["nbformat"] != _FORMAT:
        formats = {"found": content["nbformat"], "read": _FORMAT}
        raise NotReadable("WS950", "other_nbformat", file=file, **formats)
    if not isinstance(content.get("cells"), list):
        raise NotReadable("WS950", "no_cells", file=file)
    language = _language(content.get("metadata"))
    if language not in _PYTHON:
        raise NotReadable("WS952", "other_language", file=file, language=language)


def _language(metadata: Any) -> str:
    """The language of the kernel; Python where none is named."""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(part) if isinstance(metadata, dict) else None
        name = entry.get(key) if isinstance(entry, dict) else None
        if isinstance(name, str) and name:
            return name.lower()
    return _PYTHON[0]


def _code_cells(text: str, content: dict[str, Any], file: str) -> Iterator[Cell]:
    start, _ = members(text, after_blanks(text, 0))["cells"]
    places = list(array_elements(text, start))
    for number, (cell, (at, _)) in enumerate(zip(content["cells"], places, strict=True), start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = _joined(cell.get("source"))
        if source is not None:
            place = members(text, at)["source"]
            yield Cell(cell_file(file, number), number, source, place, _tags(cell))


def _joined(source: Any) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(part, str) for part in source):
        return "".join(source)
    return None


def _tags(cell: dict[str, Any]) -> tuple[str, ...]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return tuple(each for each in tags if isinstance(each, str)) if isinstance(tags, list) else ()
