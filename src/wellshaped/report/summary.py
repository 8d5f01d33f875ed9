"""The end of a check or a fix as text: what was not checked, and what it came to."""

from __future__ import annotations

from typing import Any

from wellshaped.locale.catalogue import ENGLISH, Words, in_one_language
from wellshaped.records.check import NotChecked, Report
from wellshaped.records.phrase import Phrase
from wellshaped.report.compose import shown_path

_MOST_UNREACHED = 5


def render(report: Report, words: Words = ENGLISH) -> str:
    """A line for each thing that was not checked, then the number of findings."""
    lines = [note_line(each, words) for each in _shown(report)]
    hidden = len(report.not_checked) - len(lines)
    if hidden:
        lines.append(
            in_one_language(
                words,
                lambda each: _note("WS905", each.summary("more_unreached", count=hidden), each),
            )
        )
    count = len(report.findings)
    lines.append(line(words, "found", count=count) if count else line(words, "nothing_found"))
    return "\n".join(lines) + "\n"


def render_series(count: int, left: int, words: Words = ENGLISH) -> str:
    """What a search for repairs came to."""
    if not count and not left:
        return line(words, "nothing_to_repair") + "\n"
    name = (
        "repaired_some" if left or not count else "repaired_one" if count == 1 else "repaired_all"
    )
    return line(words, name, count=count, left=left) + "\n"


def line(words: Words, name: str, /, **facts: Any) -> str:
    """One line of a summary."""
    return in_one_language(words, lambda each: each.summary(name, **facts))


def progress_line(what: Phrase, words: Words = ENGLISH) -> str:
    """What a long command is doing."""
    return in_one_language(
        words, lambda each: each.summary("checking", what=each.summary(what.name, **what.facts))
    )


def note_line(note: NotChecked, words: Words = ENGLISH) -> str:
    """`note[WS905]: train.py:7: not reached`."""
    place = f"{shown_path(note.file)}:{note.line}: " if note.file else ""
    return in_one_language(
        words,
        lambda each: _note(note.code, place + each.note(note.reason.name, note.reason.facts), each),
    )


def error_line(code: str, message: Phrase, words: Words = ENGLISH) -> str:
    """`error[WS932]: no program given`."""

    def said(each: Words) -> str:
        return f"{each.label('error')}[{code}]: {each.message(message.name, **message.facts)}"

    return in_one_language(words, said)


def _note(code: str, text: str, words: Words) -> str:
    return f"{words.label('note')}[{code}]: {text}"


def _shown(report: Report) -> list[NotChecked]:
    """All notes, but of the places that were not reached the first few."""
    unreached = [each for each in report.not_checked if each.code == "WS905"]
    return [each for each in report.not_checked if each not in unreached[_MOST_UNREACHED:]]
