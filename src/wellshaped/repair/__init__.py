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
from wellshaped.repair.edits import at_caller, passage_of, with_change, with_text_edits
from wellshaped.repair.moves import counts_rows, moves_between
from wellshaped.repair.ranking import in_style, rank
from wellshaped.repair.variations import TITLE as VARY
from wellshaped.repair.variations import in_turns, slice_of, small_changes
from wellshaped.repair.variations.conflict import conflict_of, sizes_at_call
from wellshaped.repair.variations.meetings import SizeMismatch, SizeSpot
from wellshaped.repair.variations.size_sources import SizeSource, size_sources

__all__ = [
    "VARY",
    "SizeMismatch",
    "SizeSource",
    "SizeSpot",
    "SourceText",
    "at_caller",
    "changed_lines",
    "changed_text",
    "conflict_of",
    "counts_rows",
    "edited_sources",
    "edits_between",
    "in_style",
    "in_turns",
    "is_default",
    "moves_between",
    "passage_of",
    "rank",
    "read_source",
    "size_sources",
    "sizes_at_call",
    "slice_of",
    "small_changes",
    "stored",
    "with_change",
    "with_edits",
    "with_text_edits",
    "write_sources",
]
