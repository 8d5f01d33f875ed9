"""Applies edits to source texts, and gives their files the new ones."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wellshaped.files.replace import Changed, FileChange, replace_all
from wellshaped.notebook import python_of
from wellshaped.notebook.logical import lines as source_lines
from wellshaped.notebook.read import parse_notebook
from wellshaped.notebook.splice import whole_texts
from wellshaped.records.fix import WrittenFile
from wellshaped.records.repair import Edit
from wellshaped.records.source import cell_of

_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as it was read: its text, its encoding, and its bytes."""

    file: str
    text: str
    encoding: str
    data: bytes


def read_source(file: str) -> SourceText:
    """The text of a file, by its own encoding cookie or byte order mark; line ends as they are.

    The file may be a cell of a notebook: then the text is that of the cell alone.
    """
    place = cell_of(file)
    if place is not None:
        return _read_cell(file, *place)
    data = Path(file).read_bytes()
    with open(file, "rb") as stream:
        encoding, _ = tokenize.detect_encoding(stream.readline)
    return SourceText(file, data.decode(encoding), encoding, data)


def _read_cell(file: str, notebook: str, number: int) -> SourceText:
    whole = read_source(notebook)
    cell = parse_notebook(whole.data, notebook).cell(number)
    if cell is None:
        raise Changed("WS954", "cell_gone", file=notebook, number=number)
    return SourceText(file, cell.source, whole.encoding, whole.data)


def with_edits(text: str, edits: Iterable[Edit]) -> str | None:
    """The text after the edits; None when they overlap or the result does not parse."""
    edits = set(edits)
    newline = _NEWLINE.search(text)
    starts = [0]
    for line in source_lines(text):
        starts.append(starts[-1] + len(line))
    ranges = sorted(
        (
            starts[edit.span.line - 1] + edit.span.column,
            starts[edit.span.end_line - 1] + edit.span.end_column,
            _NEWLINE.sub(newline[0] if newline else "\n", edit.text),
        )
        for edit in edits
    )
    parts, at = [], 0
    for start, end, new in ranges:
        if start < at:
            return None
        parts += [text[at:start], new]
        at = end
    result = "".join([*parts, text[at:]])
    files = {edit.file for edit in edits}
    return result if all(_parses(python_of(file, result)) for file in files) else None


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def edited_sources(edits: Iterable[Edit], sources: Mapping[str, str]) -> dict[str, str] | None:
    """Every source the edits touch, changed; None when one of them cannot be."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    changed = dict(sources)
    for file, group in by_file.items():
        text = changed.get(file)
        result = with_edits(read_source(file).text if text is None else text, group)
        if result is None:
            return None
        changed[file] = result
    return changed


def stored(
    sources: Mapping[str, str], read: Callable[[str], SourceText] = read_source
) -> list[tuple[SourceText, str]]:
    """Each file behind the sources as it was read, and its new text: cells go into notebooks."""
    texts = whole_texts(sources, lambda file: read(file).data)
    return [(read(file), text) for file, text in texts.items()]


def write_sources(
    texts: Iterable[tuple[SourceText, str]], *, backup: bool = False
) -> tuple[WrittenFile, ...]:
    """Give files their new texts, all or none, in the encodings that they have."""
    changes = [FileChange(old.file, old.data, new.encode(old.encoding)) for old, new in texts]
    return replace_all(changes, backup=backup)
