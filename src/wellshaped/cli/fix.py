"""`wellshaped fix`: the smallest edit that makes the program right, proven on the program."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any

from wellshaped.cli.check import _clear, _progress, words_of
from wellshaped.cli.reporting import (
    USAGE,
    VALUED,
    add_reporting,
    ask,
    pictured,
    write_report,
)
from wellshaped.cli.run import notebook_notes, program_of, split_at_program
from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.records.phrase import Told

HELP = "repair shape mistakes in the source, and prove the repair"
FORMATS = ("text", "json", "sarif", "patch")
_USAGE = (
    "wellshaped fix [-h] [--apply] [--unsafe] [--backup] [--budget S] [--format F]"
    f" {USAGE} [--lang L] (script.py | notebook.ipynb | -m module) [argument ...]"
)
_VALUED = ("--budget", "--format", "--lang", *VALUED)


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage = _USAGE
    parser.add_argument("--apply", action="store_true", help="write safe repairs to the files")
    parser.add_argument("--unsafe", action="store_true", help="also those that change results")
    parser.add_argument("--backup", action="store_true", help="keep each changed file as .bak")
    parser.add_argument(
        "--budget", metavar="S", type=float, default=120.0, help="CPU seconds in all"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print")
    add_reporting(parser)
    add_language(parser)


def split(given: list[str]) -> tuple[list[str], list[str]]:
    """Our options, and what starts the program with all that follows it."""
    return split_at_program(given, valued=_VALUED)


def act(arguments: argparse.Namespace) -> int:
    """Repair: 0 nothing to repair or all repaired, 1 something left, 2 could not run.

    A repair that is shown and not written is something left.
    """
    program = program_of(arguments.program, usage=_USAGE)
    if not program.is_module and not os.path.exists(program.name):
        raise BadUsage("WS930", "no_such_file", file=program.name)
    notebook_notes(program)
    if arguments.show and arguments.format != "text":
        raise BadUsage("WS932", "show_formats")
    ask(arguments)
    fixing = importlib.import_module("wellshaped.pipeline.fix")
    progress = _progress(arguments.format, arguments.lang)
    fixed, search = fixing.fix(program, budget=arguments.budget, progress=progress)
    _clear()
    if search.first.failure:
        raise BadUsage("WS933", "cannot_run", error=search.first.failure.splitlines()[0])
    _print(fixed, arguments)
    if arguments.report:
        _report(fixed, program.name, arguments)
    written = 0
    if arguments.apply:
        try:
            written = fixing.write(search, unsafe=arguments.unsafe, backup=arguments.backup)
        except Told as error:
            raise BadUsage.of(error) from error
        except OSError as error:
            raise BadUsage("WS954", "cannot_write", error=error) from error
        if written < len(fixed.mended):
            print(_line("not_applied", arguments.lang), file=sys.stderr)
    return 1 if fixed.left or written < len(fixed.mended) else 0


def _report(fixed: Any, program: str, arguments: argparse.Namespace) -> None:
    notes, changed = fixed.report.not_checked, fixed.changed
    more = {"lang": arguments.lang, "notes": notes, "changed": changed}
    write_report(arguments.report, program, _pictured(fixed), **more)


def _pictured(fixed: Any) -> list[Any]:
    return [*pictured("mended", fixed.mended), *pictured("checked", fixed.left)]


def _print(fixed: Any, arguments: argparse.Namespace) -> None:
    form = arguments.format
    if form == "patch":
        patch = importlib.import_module("wellshaped.report.patch")
        sys.stdout.flush()
        sys.stdout.buffer.write(patch.render_changed(fixed.changed))
        sys.stdout.flush()
    elif form == "text":
        texts = importlib.import_module("wellshaped.pipeline.texts")
        show = bool(arguments.show)
        print(texts.fix_text(fixed, sys.stdout, arguments.lang, show=show), end="")
    else:
        report = importlib.import_module("wellshaped.report.fixes")
        extra = {}
        if form == "sarif":
            found = importlib.import_module("wellshaped.diagnose.rules").rules()
            version = importlib.import_module("wellshaped").__version__
            extra = {"rules": found, "version": version}
        print(getattr(report, f"render_{form}")(fixed, **extra), end="")


def _line(name: str, lang: str, /, **facts: Any) -> str:
    summary = importlib.import_module("wellshaped.report.summary")
    return str(summary.line(words_of(lang), name, **facts))
