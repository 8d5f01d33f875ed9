"""The page of a run, a check or a fix: every fault, every change, and what was not checked."""

from __future__ import annotations

from collections.abc import Sequence

from wellshaped.locale import Words
from wellshaped.records.check import NotChecked, Report
from wellshaped.records.fix import ChangedFile
from wellshaped.records.flow import Pictured
from wellshaped.report.formats.patch import diff as unified
from wellshaped.report.summary import line, note_line, run_line
from wellshaped.report.web.diagnosis import anchor, headline_html, section
from wellshaped.report.web.frame import html_page
from wellshaped.report.web.markup import element, text
from wellshaped.report.web.source import diff_block


def render(
    program: str,
    shown: Sequence[Pictured],
    *,
    lang: str,
    version: str,
    report: Report | None = None,
    changed: Sequence[ChangedFile] = (),
) -> str:
    """The whole file; `report` is that of a check or a fix, which a run has not."""
    notes = report.not_checked if report else ()

    def body(words: Words) -> str:
        parts = [_count(shown, report, words), _contents(shown, words)]
        parts += [
            section(each, words, number=number, program=program)
            for number, each in enumerate(shown)
        ]
        parts += [_patch(changed, words), _runs(report, words), _notes(notes, words)]
        return "".join(parts)

    return html_page(program, lang, version, body)


def _count(shown: Sequence[Pictured], report: Report | None, words: Words) -> str:
    complete = report is None or report.complete
    name = "nothing_found" if complete else "incomplete"
    if shown:
        name = "found" if complete else "found_incomplete"
    return element("p", text(line(words, name, count=len(shown))), klass="count")


def _runs(report: Report | None, words: Words) -> str:
    """How each run of a check ended."""
    if report is None or not report.runs:
        return ""
    lines = [element("li", text(run_line(each, words))) for each in report.runs]
    head = element("h2", text(words.web("runs")))
    return element("section", head + element("ul", lines, klass="notes"))


def _contents(shown: Sequence[Pictured], words: Words) -> str:
    """Where there are several faults, a way to each."""
    if len(shown) < 2:
        return ""
    lines = [
        element("li", element("a", headline_html(each, words), href=f"#{anchor(words, number)}"))
        for number, each in enumerate(shown)
    ]
    return element("ol", lines, klass="contents")


def _patch(changed: Sequence[ChangedFile], words: Words) -> str:
    """All changes of a fix, as `patch` and git read them."""
    if not changed:
        return ""
    texts = [unified(each.file, each.before, each.after) for each in changed]
    lines = tuple(map(_signed, "".join(texts).splitlines()))
    block = diff_block(lines, words, name=f"{words.lang}-patch", signed=False)
    return element("section", element("h2", text(words.web("all_changes"))) + block)


def _notes(notes: Sequence[NotChecked], words: Words) -> str:
    if not notes:
        return ""
    lines = [element("li", text(note_line(each, words))) for each in notes]
    head = element("h2", text(words.web("not_checked")))
    return element("section", head + element("ul", lines, klass="notes"))


def _signed(line: str) -> tuple[str, str]:
    """A line of a patch by its sign; the names of the files have none."""
    return ("", line) if line.startswith(("--- ", "+++ ")) else (line[:1], line[1:])
