"""No escape sequence and no new line of a user's name reaches a terminal, whatever names it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report import reports as checks
from tests.report.formats.test_fixes import mended
from wellshaped.locale.catalogue import words
from wellshaped.records.check import NotChecked, Report
from wellshaped.records.failure import Failure, Frame
from wellshaped.records.fix import Applied, ChangedFile, FixResult
from wellshaped.records.phrase import Phrase
from wellshaped.records.training.progress import BadRow, Ended, Flaws
from wellshaped.report import narrator, summary, training
from wellshaped.report.formats import concise, github, patch
from wellshaped.report.text.failure import failure_lines

FRAGMENTS = ["\x1b]0;owned\x07", "\x1b[2J", "\n", "\r", "\u202e", "\udcff", "\x9b31m", "a", "損"]
OBEYED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
names = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=6).map("".join)
few = settings(max_examples=30, derandomize=True, deadline=None, database=None)


def notes(name: str) -> tuple[NotChecked, ...]:
    stopped = Phrase("stopped_own", {"error": name})
    remedy = Phrase("remedy_write")
    refused = Phrase("refused", {"action": "open", "target": name, "remedy": remedy})
    return tuple(NotChecked("WS903", name, 3, reason) for reason in (stopped, refused))


def failed(name: str) -> Phrase:
    failure = Failure("KeyError", name, name, 3, (Frame(name, 3, name, name),), (name,))
    remedy = Phrase("remedy_folder", {"file": name, "here": name, "folder": name})
    below = "\n".join(failure_lines(failure))
    facts = {"error": name, "below": below, "remedy": remedy, "file": name, "line": 3}
    return Phrase("cannot_run_at", facts)


def note(name, said):
    return summary.note_line(notes(name)[1], said)


def progress(name, said):
    what = Phrase("turned_named", {"name": name, "value": 3, "sizes": "1"})
    return summary.checking_line(what, said)


def missing(name, said):
    return summary.error_line("WS930", Phrase("no_such_file", {"file": name}), said)


def usage(name, said):
    facts = {"detail": name, "program": "wellshaped"}
    return summary.error_line("WS932", Phrase("usage", facts), said)


def failure(name, said):
    return summary.error_line("WS933", failed(name), said)


def series(name, said):
    fixed = FixResult(checks.REPORT, (mended(),), (), (), Applied(1, (name,)))
    return summary.render_series(fixed, said).removesuffix("\n")


def end(name, said):
    return training.end_lines(Ended("failed", 1, 0, {}, error=name), said).removesuffix("\n")


def saved(name, said):
    return "\n".join(training.end_parts(Ended("finished", 1, 0, {}, folder=name), said))


def bad_row(name, said):
    row = BadRow(name, 3, Phrase("row_not_text", {"column": name, "got": name}))
    flaws = Flaws((row,), {"row_not_text": 1}, 1)
    return training.flaw_lines(flaws, said).removesuffix("\n")


def told(name, said):
    return "".join(
        narrator._lines(Phrase("server_is_refreshed", {"command": name, "url": name}), said)
    )


# What is printed of a name, and on how many lines.
LINES = {note: 1, progress: 1, missing: 1, usage: 1, failure: 5, series: 1, end: 1, saved: 2}
LINES |= {bad_row: 2, told: 1}


@pytest.mark.parametrize("say", LINES)
@few
@given(name=names, lang=st.sampled_from(["en", "ja"]))
def test_a_name_is_shown_and_never_obeyed(say, name, lang):
    lines = say(name, words(lang)).split("\n")
    assert len(lines) == LINES[say]
    assert not any(map(OBEYED.search, lines)), lines


@pytest.mark.parametrize("form", [concise, github])
@few
@given(name=names)
def test_formats_of_lines(form, name):
    checked = checks.column()
    finding = checked.diagnosis.finding
    place = replace(finding.observation.passage.place, file=name)
    passage = replace(finding.observation.passage, place=place)
    finding = replace(finding, observation=replace(finding.observation, passage=passage))
    checked = replace(checked, diagnosis=replace(checked.diagnosis, finding=finding))
    lines = form.render(Report(name, (checked,), notes(name))).removesuffix("\n").split("\n")
    assert len(lines) == 3
    assert not any(map(OBEYED.search, lines)), lines


@few
@given(name=names)
def test_names_in_a_patch_are_quoted(name):
    text = patch.render_changed([ChangedFile(name, "a\n", "b\n")]).decode()
    assert len(text.splitlines()) == 5
    assert not any(map(OBEYED.search, text.split("\n")))
