"""What of a notebook a run leaves out: shell lines, and magics that only IPython knows."""

from __future__ import annotations

from collections.abc import Iterator

from wellshaped.notebook.magics import translated
from wellshaped.notebook.read import is_notebook, read_notebook
from wellshaped.records.check import NotChecked
from wellshaped.records.phrase import phrase

_LONGEST = 80


def skipped_lines(file: str) -> Iterator[NotChecked]:
    """The lines of a notebook that are not run; none for a file of another kind."""
    for cell in read_notebook(file).cells if is_notebook(file) else ():
        for each in translated(cell.source).skipped:
            text = each.text if len(each.text) <= _LONGEST else f"{each.text[:_LONGEST]}..."
            yield NotChecked("WS953", cell.file, each.line, phrase("not_run", text=text))
