"""`wellshaped fix`: the smallest edit that makes the program right, proven on the program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from wellshaped import __version__
from wellshaped.cli.check import (
    _clear,
    _progress,
    add_allowance,
    add_json_version,
    cannot_run,
    words_of,
)
from wellshaped.cli.preflight import refuse_unrunnable
from wellshaped.cli.reporting import (
    USAGE,
    add_reporting,
    ask,
    write_report,
)
from wellshaped.cli.run import notebook_notes, program_of
from wellshaped.cli.sandboxing import OPTION, add_sandboxing, must_have_fork, sandboxing
from wellshaped.cli.splitting import EPILOG, PROGRAM
from wellshaped.cli.usage import BadUsage, Parser, add_budget, add_language
from wellshaped.records.check import Checked
from wellshaped.records.fix import Applied, FixResult
from wellshaped.records.phrase import UserError
from wellshaped.records.status import CLEAN, FINDINGS, INCOMPLETE

HELP = "repair shape mistakes in the source, and prove the repair"
# A dry run of a program's own `--help` shows nothing: it is ours, wherever it stands.
LEFT: tuple[str, ...] = ()
FORMATS = ("text", "json", "sarif", "patch")
_USAGE = (
    "wellshaped fix [-h] [--apply] [--unsafe] [--pick CHOICE] [--backup] [--budget S]"
    f" [--format F] [--json-version V] [--allow-incomplete] [{OPTION}] {USAGE} [--lang L] {PROGRAM}"
)


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage, parser.epilog = _USAGE, EPILOG
    parser.add_argument("--apply", action="store_true", help="write safe repairs to the files")
    parser.add_argument("--unsafe", action="store_true", help="also those that change results")
    parser.add_argument(
        "--pick",
        metavar="CHOICE",
        action="append",
        default=[],
        help="take a choice: its number N, CODE:N for findings of one code, or `best`, the first"
        " of each; may be given several times",
    )
    parser.add_argument("--backup", action="store_true", help="keep each changed file as .bak")
    add_budget(parser, default=120.0)
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print")
    add_json_version(parser)
    add_allowance(parser)
    add_sandboxing(parser)
    add_reporting(parser)
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Repair: 0 nothing to repair or all repaired, 1 something left, 2 could not run, 3 incomplete.

    A repair that is shown and not written is something left.
    """
    program = program_of(arguments.program, usage=_USAGE)
    refuse_unrunnable(program)
    must_have_fork()
    notebook_notes(program)
    if arguments.show and arguments.format != "text":
        raise BadUsage("WS932", "show_formats")
    ask(arguments)
    picks = _picks(arguments.pick)
    from wellshaped.pipeline.fix import apply, fix, go_on

    progress = _progress(arguments.format, arguments.lang)
    with sandboxing(arguments):
        fixed, search = fix(program, budget=arguments.budget, progress=progress, picks=picks)
        _clear()
        while answers := _asked(fixed, arguments):
            fixed = go_on(search, answers, once=True)
            _clear()
    _must_be_there(fixed, picks)
    if fixed.report.failure is not None:
        if arguments.format in ("json", "sarif"):
            _print(fixed, arguments)
        raise cannot_run(fixed.report.failure, "fix")
    failed = None
    if arguments.apply:
        options = {"unsafe": arguments.unsafe, "backup": arguments.backup}
        fixed, failed = _applied(fixed, partial(apply, fixed, search, **options))
    _print(fixed, arguments)
    if arguments.report:
        _report(fixed, program.name, arguments)
    if failed is not None:
        raise failed
    for line in _file_lines(fixed, arguments.lang):
        print(line, file=sys.stderr)
    written = fixed.applied.count if fixed.applied else 0
    if not fixed.complete and not arguments.allow_incomplete:
        return INCOMPLETE
    return FINDINGS if fixed.left or written < len(fixed.mended) else CLEAN


def _picks(given: list[str]) -> dict[str, int]:
    """Choices by code, "" for every code: `2`, `WS205:2`, `best`, also several with commas."""
    picks: dict[str, int] = {}
    for text in (part.strip() for each in given for part in each.split(",")):
        code, _, number = text.rpartition(":")
        number = "1" if number == "best" else number
        if not number.isascii() or not number.isdigit() or int(number) < 1:
            raise BadUsage("WS932", "bad_pick", text=repr(text))
        picks[code.upper()] = int(number)
    return picks


def _asked(fixed: FixResult, arguments: argparse.Namespace) -> dict[str, int]:
    """On a terminal: which choice to take of the first finding that has some; empty for none."""
    if arguments.pick or not (arguments.apply and arguments.format == "text" and _talks()):
        return {}
    from wellshaped.pipeline.texts import render_checked

    for left in fixed.left:
        count = _choices(left)
        code = left.diagnosis.finding.code
        if count:
            print(render_checked(left, sys.stdout, arguments.lang))
            answer = input(_line("which", arguments.lang, code=code, count=count)).strip()
            if answer.isdigit() and 1 <= int(answer) <= count:
                return {code: int(answer)}
            return {}
    return {}


def _talks() -> bool:
    """Whether somebody reads what is printed, and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _choices(left: Checked) -> int:
    return sum(bool(each.number) for each in left.diagnosis.proposals)


def _must_be_there(fixed: FixResult, picks: dict[str, int]) -> None:
    """A pick of a code names one of the choices that there are."""
    for left in fixed.left:
        code, count = left.diagnosis.finding.code, _choices(left)
        number = picks.get(code, picks.get("", 0))
        if count and number > count:
            raise BadUsage("WS932", "no_such_pick", code=code, count=count, number=number)


def _file_lines(fixed: FixResult, lang: str) -> Iterator[str]:
    """Where each backup is, and what of a file could not be kept."""
    from wellshaped.report.formats.machine import shown_file as shown

    for each in fixed.applied.files if fixed.applied else ():
        if each.backup is not None:
            facts = {"file": shown(each.file), "backup": shown(each.backup)}
            yield _line("backup_kept", lang, **facts)
        for lost in each.not_kept:
            facts = {"file": shown(lost.file), "before": lost.before, "after": lost.after}
            yield _line(f"{lost.what}_not_kept", lang, **facts)


def _applied(fixed: FixResult, write: Callable[[], FixResult]) -> tuple[FixResult, BadUsage | None]:
    """Write the repairs; what was found is shown also where they cannot be written."""
    try:
        return write(), None
    except UserError as error:
        return replace(fixed, applied=Applied(0, failed=True)), BadUsage.of(error)


def _report(fixed: FixResult, program: str, arguments: argparse.Namespace) -> None:
    more = {"lang": arguments.lang, "report": fixed.report, "changed": fixed.changed}
    write_report(arguments.report, program, _pictured(fixed), **more)


def _pictured(fixed: FixResult) -> list[Any]:
    from wellshaped.pipeline.picture import of_checked, of_mended

    return [*map(of_mended, fixed.mended), *map(of_checked, fixed.left)]


def _print(fixed: FixResult, arguments: argparse.Namespace) -> None:
    from wellshaped.diagnose.faults import rules
    from wellshaped.pipeline import texts
    from wellshaped.report.formats.fixes import render_json, render_sarif

    match arguments.format:
        case "patch":
            for note in texts.unconfined(fixed.report, arguments.lang):
                print(note, file=sys.stderr)
            _print_patch(fixed)
        case "json":
            print(render_json(fixed, version=arguments.json_version), end="")
        case "sarif":
            print(render_sarif(fixed, rules=rules(), version=__version__), end="")
        case _:
            show = bool(arguments.show)
            print(texts.fix_text(fixed, sys.stdout, arguments.lang, show=show), end="")


def _print_patch(fixed: FixResult) -> None:
    """The patch as bytes: lines of a file are not ours to encode."""
    from wellshaped.report.formats.patch import render_changed

    sys.stdout.flush()
    sys.stdout.buffer.write(render_changed(fixed.changed))
    sys.stdout.flush()


def _line(name: str, lang: str, /, **facts: Any) -> str:
    from wellshaped.report import summary

    return str(summary.line(words_of(lang), name, **facts))
