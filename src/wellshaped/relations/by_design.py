"""Reads the comment that says a relation is broken by design: `# wellshaped: by-design[rows]`."""

from __future__ import annotations

import re

from wellshaped.records.certificate import KeptRelation

_COMMENT = re.compile(r"#\s*wellshaped:\s*by-design\[([\w\s,]+)\]")


def is_by_design(kept: KeptRelation) -> bool:
    """Whether a line of the expression at which the relation breaks says so."""
    if kept.standing != "broken" or kept.passage is None:
        return False
    named = {
        name.strip()
        for _, text in kept.passage.lines
        for found in _COMMENT.findall(text)
        for name in found.split(",")
    }
    return kept.relation in named
