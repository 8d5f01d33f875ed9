"""Turning proposals into edits of the source text, and edits into diffs."""

from wellshaped.repair.apply import (
    SourceText,
    edited_sources,
    read_source,
    stored,
    with_edits,
    write_sources,
)
from wellshaped.repair.backward_slice import is_default
from wellshaped.repair.diff import changed_lines, changed_text, edits_between
from wellshaped.repair.edits import at_caller, with_change, with_text_edits
from wellshaped.repair.moves import counts_rows, moves_between
from wellshaped.repair.ranking import in_style, rank
from wellshaped.repair.variations import TITLE as VARY
from wellshaped.repair.variations import in_turns, small_changes

__all__ = [
    "VARY",
    "SourceText",
    "at_caller",
    "changed_lines",
    "changed_text",
    "counts_rows",
    "edited_sources",
    "edits_between",
    "in_style",
    "in_turns",
    "is_default",
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
