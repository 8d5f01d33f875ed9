"""The broadcasts of a program, those that are most likely mistakes first: as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from wellshaped.locale.catalogue import ENGLISH, Words
from wellshaped.records.broadcast import ORDER, Broadcast
from wellshaped.records.shape import shape_text
from wellshaped.report.machine import shown_file
from wellshaped.report.summary import line

VERSION = 1


def ordered(found: Iterable[Broadcast]) -> list[Broadcast]:
    """By suspicion, then by place."""
    return sorted(
        found,
        key=lambda each: (
            ORDER.index(each.suspicion),
            each.passage.place.file,
            each.passage.place.line,
        ),
    )


def as_text(found: Iterable[Broadcast], words: Words = ENGLISH) -> str:
    """One line for each: suspicion, place, shapes, how often, and the expression."""
    lines = []
    for each in ordered(found):
        place = f"{shown_file(each.passage.place.file)}:{each.passage.place.line}"
        shapes = "  ".join(map(shape_text, each.shapes))
        lines.append(
            f"{each.suspicion:6}{place}  {shapes} -> {shape_text(each.result)}"
            f"  {each.count}x  {each.passage.text or each.operation}"
        )
    return "\n".join([*lines, line(words, "broadcasts", count=len(lines))]) + "\n"


def as_json(program: str, found: Iterable[Broadcast]) -> str:
    """The list as data."""
    rows = [
        {
            "suspicion": each.suspicion,
            "file": shown_file(each.passage.place.file),
            "line": each.passage.place.line,
            "column": each.passage.span.column + 1 if each.passage.span else 1,
            "operation": each.operation,
            "expression": each.passage.text,
            "shapes": [list(shape) for shape in each.shapes],
            "result": list(each.result),
            "count": each.count,
        }
        for each in ordered(found)
    ]
    return json.dumps({"version": VERSION, "program": program, "broadcasts": rows}, indent=2) + "\n"
