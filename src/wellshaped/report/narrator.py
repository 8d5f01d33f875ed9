"""Tells a run as it goes: each record in words, notes and progress here, the end there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.phrase import Phrase
from wellshaped.records.training.progress import Ended, Flaws, Step
from wellshaped.records.training.samples import Samples
from wellshaped.records.training.shortened import Shortened
from wellshaped.report.compose import shown_path
from wellshaped.report.text.facts import safe
from wellshaped.report.text.samples import sample_lines
from wellshaped.report.text.width import visible
from wellshaped.report.training import ProgressLine, end_lines, flaw_lines


class Narrator:
    """Call it with each record of a run.

    What it came to goes to `end`, the standard output if there is none.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        words: Words = ENGLISH,
        *,
        end: TextIO | None = None,
    ) -> None:
        self._words, self._end = words, end
        self._progress = ProgressLine(stream or sys.stderr, words)

    def __call__(self, record: Any) -> None:
        """Tell one record: bad rows, what was cut, a note, a step, some texts, or the end."""
        if isinstance(record, Step):
            self._progress(record)
        elif isinstance(record, Ended):
            self._progress.close()
            print(end_lines(record, self._words), end="", file=self._end, flush=True)
        elif isinstance(record, Samples):
            for line in sample_lines(record):
                self._progress.say(line)
        elif isinstance(record, Flaws):
            self._progress.say(flaw_lines(record, self._words).rstrip())
        else:
            for line in _lines(record, self._words):
                self._progress.say(line)


def _lines(record: Shortened | Phrase, words: Words) -> list[str]:
    notes = [record] if isinstance(record, Phrase) else list(_shortened(record))
    return in_one_language(
        words, lambda each: [each.training(note.name, **safe(note.facts)) for note in notes]
    )


def _shortened(record: Shortened) -> Iterator[Phrase]:
    length = record.length
    if record.prompts:
        facts = {"count": record.prompts, "rows": record.rows, "length": length}
        yield Phrase("cut_prompts", facts)
    for name, count, places in (
        ("full_prompts", record.full, record.first_full),
        ("cut_answers", record.answers, record.first_answers),
    ):
        if count:
            yield Phrase(name, {"count": count, "length": length, "places": _shown(places, count)})


def _shown(places: tuple[tuple[str, int], ...], count: int) -> str:
    named = ", ".join(f"{visible(shown_path(file))}:{line}" for file, line in places)
    return f"{named}, ..." if count > len(places) else named
