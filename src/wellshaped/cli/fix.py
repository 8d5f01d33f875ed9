"""`wellshaped fix`: the smallest edit that makes the program right, proven on the program."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wellshaped.cli.check import _clear, _progress, add_allowance, cannot_run, words_of
from wellshaped.cli.preflight import refuse_unrunnable
from wellshaped.cli.reporting import (
    USAGE,
    add_reporting,
    ask,
    pictured,
    write_report,
)
from wellshaped.cli.run import notebook_notes, program_of
from wellshaped.cli.sandboxing import OPTION, add_sandboxing, sandboxing
from wellshaped.cli.splitting import EPILOG, PROGRAM
from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.records.fix import Applied, Fixed
from wellshaped.records.phrase import Told
from wellshaped.records.status import CLEAN, FINDINGS, INCOMPLETE

HELP = "repair shape mistakes in the source, and prove the repair"
# A dry run of a program's own `--help` shows nothing: it is ours, wherever it stands.
LEFT: tuple[str, ...] = ()
FORMATS = ("text", "json", "sarif", "patch")
_USAGE = (
    "wellshaped fix [-h] [--apply] [--unsafe] [--backup] [--budget S] [--format F]"
    f" [--allow-incomplete] [{OPTION}] {USAGE} [--lang L] {PROGRAM}"
)


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage, parser.epilog = _USAGE, EPILOG
    parser.add_argument("--apply", action="store_true", help="write safe repairs to the files")
    parser.add_argument("--unsafe", action="store_true", help="also those that change results")
    parser.add_argument("--backup", action="store_true", help="keep each changed file as .bak")
    parser.add_argument(
        "--budget", metavar="S", type=float, default=120.0, help="CPU seconds in all"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print")
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
    notebook_notes(program)
    if arguments.show and arguments.format != "text":
        raise BadUsage("WS932", "show_formats")
    ask(arguments)
    fixing = importlib.import_module("wellshaped.pipeline.fix")
    progress = _progress(arguments.format, arguments.lang)
    with sandboxing(arguments):
        fixed, search = fixing.fix(program, budget=arguments.budget, progress=progress)
    _clear()
    if fixed.report.failure is not None:
        if arguments.format in ("json", "sarif"):
            _print(fixed, arguments)
        raise cannot_run(fixed.report.failure, "fix")
    failed = None
    if arguments.apply:
        fixed, failed = _applied(fixed, search, arguments)
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


def _file_lines(fixed: Fixed, lang: str) -> Iterator[str]:
    """Where each backup is, and what of a file could not be kept."""
    shown = importlib.import_module("wellshaped.report.formats.machine").shown_file
    for each in fixed.applied.files if fixed.applied else ():
        if each.backup is not None:
            facts = {"file": shown(each.file), "backup": shown(each.backup)}
            yield _line("backup_kept", lang, **facts)
        for lost in each.not_kept:
            facts = {"file": shown(lost.file), "before": lost.before, "after": lost.after}
            yield _line(f"{lost.what}_not_kept", lang, **facts)


def _applied(
    fixed: Fixed, search: Any, arguments: argparse.Namespace
) -> tuple[Fixed, BadUsage | None]:
    """Write the repairs; what was found is shown also where they cannot be written."""
    fixing = importlib.import_module("wellshaped.pipeline.fix")
    try:
        options = {"unsafe": arguments.unsafe, "backup": arguments.backup}
        return fixing.apply(fixed, search, **options), None
    except Told as error:
        return replace(fixed, applied=Applied(0, failed=True)), BadUsage.of(error)


def _report(fixed: Any, program: str, arguments: argparse.Namespace) -> None:
    more = {"lang": arguments.lang, "report": fixed.report, "changed": fixed.changed}
    write_report(arguments.report, program, _pictured(fixed), **more)


def _pictured(fixed: Any) -> list[Any]:
    return [*pictured("mended", fixed.mended), *pictured("checked", fixed.left)]


def _print(fixed: Any, arguments: argparse.Namespace) -> None:
    form = arguments.format
    texts = importlib.import_module("wellshaped.pipeline.texts")
    if form == "patch":
        for note in texts.unconfined(fixed.report, arguments.lang):
            print(note, file=sys.stderr)
        patch = importlib.import_module("wellshaped.report.formats.patch")
        sys.stdout.flush()
        sys.stdout.buffer.write(patch.render_changed(fixed.changed))
        sys.stdout.flush()
    elif form == "text":
        show = bool(arguments.show)
        print(texts.fix_text(fixed, sys.stdout, arguments.lang, show=show), end="")
    else:
        report = importlib.import_module("wellshaped.report.formats.fixes")
        extra = {}
        if form == "sarif":
            found = importlib.import_module("wellshaped.diagnose.faults").rules()
            version = importlib.import_module("wellshaped").__version__
            extra = {"rules": found, "version": version}
        print(getattr(report, f"render_{form}")(fixed, **extra), end="")


def _line(name: str, lang: str, /, **facts: Any) -> str:
    summary = importlib.import_module("wellshaped.report.summary")
    return str(summary.line(words_of(lang), name, **facts))
