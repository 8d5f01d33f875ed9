"""Turning proposals into edits of the source text, and edits into diffs."""

from wellshaped.repair.apply import (
    SourceText,
    edited_sources,
    read_source,
    stored,
    with_edits,
    write_sources,
)
from wellshaped.repair.diff import changed_lines, changed_text
from wellshaped.repair.edits import at_caller, with_change, with_text_edits
from wellshaped.repair.moves import counts_rows, moves_between
from wellshaped.repair.ranking import in_style, rank
from wellshaped.repair.variations import small_changes

__all__ = [
    "SourceText",
    "at_caller",
    "changed_lines",
    "changed_text",
    "counts_rows",
    "edited_sources",
    "in_style",
    "moves_between",
    "rank",
    "read_source",
    "small_changes",
    "stored",
    "with_change",
    "with_edits",
    "with_text_edits",
    "write_sources",
]
