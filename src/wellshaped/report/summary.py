"""The end of a check or a fix as text: what was not checked, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.check import Checked, NotChecked, Report, SizeRun
from wellshaped.records.fix import FixResult
from wellshaped.records.phrase import Phrase
from wellshaped.report.compose import shown_path
from wellshaped.report.text import certificate
from wellshaped.report.text.facts import safe
from wellshaped.report.text.width import visible

_MOST_UNREACHED = 5
ENDS_A_RUN = frozenset({"WS901", "WS902", "WS903"})
_CAUSED = ("stopped", "died")
# Facts of an error that stand below its line: several lines of text, and what helps.
BELOW, REMEDY = "below", "remedy"


def render(report: Report, words: Words = ENGLISH) -> str:
    """A line for each run and for each thing that was not checked, then what it came to."""
    notes = _notes(report)
    shown = _shown(notes)
    lines = [run_line(each, words) for each in report.runs]
    lines += [note_line(each, words) for each in shown]
    hidden = len(notes) - len(shown)
    if hidden:
        lines.append(
            in_one_language(
                words,
                lambda each: _note("WS905", each.summary("more_unreached", count=hidden), each),
            )
        )
    made = report.certificate
    lines += [certificate.render(made, words).rstrip("\n")] if made is not None else []
    return "\n".join([*lines, verdict_line(report, words)]) + "\n"


def verdict_line(report: Report, words: Words = ENGLISH) -> str:
    """How many mistakes there are; that there are none only where everything ran."""
    count = len(report.findings)
    if report.complete:
        return line(words, "found", count=count) if count else line(words, "nothing_found")
    return line(words, "found_incomplete" if count else "incomplete", count=count)


def run_line(run: SizeRun, words: Words = ENGLISH) -> str:
    """`batch size 1: failed: train.py:31 (WS401)`."""
    where = f"{shown_path(run.place.file)}:{run.place.line}" if run.place else ""
    short = run.ended == "finished" and run.shortened
    name = "finished_short" if short else run.ended
    cause = ": ".join(filter(None, [where, *([run.cause] if run.ended in _CAUSED else [])]))
    facts = {"cause": visible(cause), "code": run.code}

    def said(each: Words) -> str:
        text = each.summary(f"run_{name}", which=_which(run, each), **facts)
        passed = ", ".join(f"{shown_path(at.file)}:{at.line}" for at in run.passed_over)
        return text + (each.summary("run_passed_over", where=passed) if passed else "")

    return in_one_language(words, said)


def _which(run: SizeRun, words: Words) -> str:
    sizes = ", ".join(map(str, run.met))
    if run.batch is not None:
        return words.summary("size", size=run.batch)
    return words.summary("size_own", sizes=sizes) if sizes else words.summary("size_unknown")


def render_series(fixed: FixResult, words: Words = ENGLISH) -> str:
    """What a search for repairs came to: what is verified, what is written, what is left."""
    return in_one_language(words, lambda each: "; ".join(_series(fixed, each))) + "\n"


def _series(fixed: FixResult, words: Words) -> Iterator[str]:
    count, left = len(fixed.mended), len(fixed.left)
    if not count and not left:
        yield words.summary("nothing_to_repair")
    if count:
        yield from _written(fixed, words)
    choices = sum(_has_choices(each) for each in fixed.left)
    if choices:
        yield words.summary(_number("choices", choices), count=choices)
    if left > choices:
        yield words.summary("no_fix", left=left - choices, all=count + left)


def _has_choices(left: Checked) -> bool:
    """Whether there are repairs to choose from after which the program is right."""
    return any(each.number and each.stops is None for each in left.diagnosis.proposals)


def _written(fixed: FixResult, words: Words) -> Iterator[str]:
    count, applied = len(fixed.mended), fixed.applied
    safe = len(
        list(takewhile(lambda each: each.proposal.repair.level != "changes results", fixed.mended))
    )
    if applied is not None and applied.failed:
        yield words.summary(_number("verified", count), count=count)
    elif not safe and not (applied and applied.count):
        option = "--unsafe" if applied else "--apply --unsafe"
        yield words.summary(_number("unwritten_unsafe", count), count=count, option=option)
    elif applied is None:
        yield words.summary(_number("unwritten", count), count=count)
        if safe < count:
            yield words.summary("unsafe_too", count=count - safe)
    else:
        files = ", ".join(visible(shown_path(each.file)) for each in applied.files)
        yield words.summary(_number("written", applied.count), count=applied.count, files=files)
        rest = count - applied.count
        if rest:
            yield words.summary(_number("not_written", rest), count=rest)


def _number(name: str, count: int) -> str:
    return f"{name}_one" if count == 1 else f"{name}_many"


def line(words: Words, name: str, /, **facts: Any) -> str:
    """One line of a summary."""
    return in_one_language(words, lambda each: each.summary(name, **safe(facts)))


def checking_line(what: Phrase, words: Words = ENGLISH) -> str:
    """What a long command is doing."""
    return in_one_language(
        words,
        lambda each: each.summary("checking", what=each.summary(what.name, **safe(what.facts))),
    )


def note_line(note: NotChecked, words: Words = ENGLISH) -> str:
    """`note[WS905]: train.py:7: not reached`."""
    place = f"{visible(shown_path(note.file))}:{note.line}: " if note.file else ""
    name, facts = note.reason.name, safe(note.reason.facts)
    return in_one_language(
        words, lambda each: _note(note.code, place + each.note(name, facts), each)
    )


def error_line(code: str, message: Phrase, words: Words = ENGLISH) -> str:
    """`error[WS932]: no program given`, and below it what the fact `below` and a remedy say."""

    def said(each: Words) -> str:
        lines = [f"{each.label('error')}[{code}]: {each.message(message.name, **facts)}"]
        lines += [f"  {visible(line)}" for line in str(message.facts.get(BELOW, "")).splitlines()]
        if facts.get(REMEDY):
            lines.append(f"  {each.label(REMEDY)}: {each.phrase(facts[REMEDY])}")
        return "\n".join(lines)

    facts = safe(message.facts)
    return in_one_language(words, said)


def _note(code: str, text: str, words: Words) -> str:
    return f"{words.label('note')}[{code}]: {text}"


def _notes(report: Report) -> list[NotChecked]:
    """The notes; what ended a run stands in the line of that run already."""
    in_runs = {run.code for run in report.runs}
    return [note for note in report.not_checked if note.code not in in_runs & ENDS_A_RUN]


def _shown(notes: list[NotChecked]) -> list[NotChecked]:
    """All notes, but of the places that were not reached the first few."""
    unreached = [each for each in notes if each.code == "WS905"]
    return [each for each in notes if each not in unreached[_MOST_UNREACHED:]]
