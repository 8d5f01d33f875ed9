"""The broadcasts of a program as text, those that are most likely mistakes first."""

from __future__ import annotations

from collections.abc import Iterable

from wellshaped.locale import ENGLISH, Words
from wellshaped.records.broadcast import Broadcast, by_suspicion
from wellshaped.records.shape import shape_text
from wellshaped.report.formats.machine import shown_file
from wellshaped.report.summary import line
from wellshaped.report.text.width import visible


def render(found: Iterable[Broadcast], words: Words = ENGLISH) -> str:
    """Under a line for each degree of suspicion: place, shapes, how often, and expression."""
    lines: list[str] = []
    said = ""
    rows = by_suspicion(found)
    for each in rows:
        if each.suspicion != said:
            said = each.suspicion
            lines.append(line(words, f"broadcast_{said}"))
        place = f"{shown_file(each.passage.place.file)}:{each.passage.place.line}"
        shapes = ", ".join(map(shape_text, each.shapes))
        text = each.passage.text or each.operation
        found_here = f"  {place}  {shapes} -> {shape_text(each.result)}, {each.count}x  {text}"
        lines.append(visible(found_here))
    return "\n".join([*lines, line(words, "broadcasts", count=len(rows))]) + "\n"
