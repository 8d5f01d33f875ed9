"""`wellshaped fix`: the smallest edit that makes the program right, proven on the program."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any

from wellshaped.cli.check import _clear, _progress
from wellshaped.cli.run import notebook_notes, program_of, split_at_program
from wellshaped.cli.usage import BadUsage, Parser

HELP = "repair shape mistakes in the source, and prove the repair"
FORMATS = ("text", "json", "sarif", "patch")
_USAGE = (
    "wellshaped fix [-h] [--apply] [--unsafe] [--backup] [--budget S] [--format F]"
    " (script.py | notebook.ipynb | -m module) [argument ...]"
)
_VALUED = ("--budget", "--format", "--lang")


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage = _USAGE
    parser.add_argument("--apply", action="store_true", help="write safe repairs to the files")
    parser.add_argument("--unsafe", action="store_true", help="also those that change results")
    parser.add_argument("--backup", action="store_true", help="keep each changed file as .bak")
    parser.add_argument("--budget", metavar="S", type=float, default=120.0, help="seconds in all")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print")
    parser.add_argument("--lang", metavar="L", help="language of the explanation")


def split(given: list[str]) -> tuple[list[str], list[str]]:
    """Our options, and what starts the program with all that follows it."""
    return split_at_program(given, valued=_VALUED)


def act(arguments: argparse.Namespace) -> int:
    """Repair: 0 nothing to repair or all repaired, 1 something left, 2 could not run.

    A repair that is shown and not written is something left.
    """
    program = program_of(arguments.program, usage=_USAGE)
    if not program.is_module and not os.path.exists(program.name):
        raise BadUsage("WS930", f"cannot open the program `{program.name}`: no such file")
    notebook_notes(program)
    fixing = importlib.import_module("wellshaped.pipeline.fix")
    fixed, search = fixing.fix(
        program, budget=arguments.budget, progress=_progress(arguments.format)
    )
    _clear()
    if search.first.failure:
        text = search.first.failure.splitlines()[0]
        print(f"error[WS933]: the program could not be run: {text}", file=sys.stderr)
        return 2
    _print(fixed, arguments.format)
    written = 0
    if arguments.apply:
        try:
            written = fixing.write(search, unsafe=arguments.unsafe, backup=arguments.backup)
        except (OSError, ValueError) as error:
            raise BadUsage("WS954", str(error)) from error
        if written < len(fixed.mended):
            print("not applied: it changes results; `--unsafe` applies it", file=sys.stderr)
    return 1 if fixed.left or written < len(fixed.mended) else 0


def _print(fixed: Any, form: str) -> None:
    if form == "patch":
        patch = importlib.import_module("wellshaped.report.patch")
        sys.stdout.flush()
        sys.stdout.buffer.write(patch.render_changed(fixed.changed))
        sys.stdout.flush()
    elif form == "text":
        print(_text(fixed), end="")
    else:
        report = importlib.import_module("wellshaped.report.fixes")
        extra = {}
        if form == "sarif":
            found = importlib.import_module("wellshaped.diagnose.rules").rules()
            version = importlib.import_module("wellshaped").__version__
            extra = {"rules": found, "version": version}
        print(getattr(report, f"render_{form}")(fixed, **extra), end="")


def _text(fixed: Any) -> str:
    pipeline = importlib.import_module("wellshaped.pipeline")
    count, left = len(fixed.mended), len(fixed.left)
    parts = []
    for place, each in enumerate(fixed.mended, 1):
        number = f"repair {place} of {count}\n\n" if count > 1 else ""
        parts.append(number + pipeline.render_mended(each, sys.stdout))
    parts += [pipeline.render_checked(each, sys.stdout) for each in fixed.left]
    return "\n".join([*parts, _summary(count, left)])


def _summary(count: int, left: int) -> str:
    if not count and not left:
        return "nothing to repair\n"
    proven = ", each proven by running the edited program" if count > 1 else ""
    proven = ", proven by running the edited program" if count == 1 else proven
    return f"{count} repaired{proven if not left else ''}; {left} left\n"
