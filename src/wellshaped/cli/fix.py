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
    parser.add_argument("--format", choices=("text", "patch"), default="text", help="how to print")
    parser.add_argument("--lang", metavar="L", help="language of the explanation")


def split(given: list[str]) -> tuple[list[str], list[str]]:
    """Our options, and what starts the program with all that follows it."""
    return split_at_program(given, valued=_VALUED)


def act(arguments: argparse.Namespace) -> int:
    """Repair: 0 nothing to repair or all repaired, 1 something left, 2 could not run."""
    program = program_of(arguments.program, usage=_USAGE)
    if not program.is_module and not os.path.exists(program.name):
        raise BadUsage("WS930", f"cannot open the program `{program.name}`: no such file")
    notebook_notes(program)
    fixing = importlib.import_module("wellshaped.pipeline.fix")
    search = fixing.fix(program, budget=arguments.budget, progress=_progress("text"))
    _clear()
    if search.first.failure:
        text = search.first.failure.splitlines()[0]
        print(f"error[WS933]: the program could not be run: {text}", file=sys.stderr)
        return 2
    print(_shown(search, arguments.format), end="")
    allowed = arguments.unsafe or all(each.repair.level == "safe" for each in search.mended)
    if arguments.apply and search.mended and not allowed:
        print("not applied: it changes results; `--unsafe` applies it", file=sys.stderr)
        return 1
    if arguments.apply and search.mended:
        _write(search, backup=arguments.backup)
    return 1 if search.left or (search.mended and not arguments.apply) else 0


def _shown(search: Any, form: str) -> str:
    if form == "patch":
        return _patch(search)
    pipeline = importlib.import_module("wellshaped.pipeline")
    parts = [pipeline.render_mended(each, sys.stdout) for each in search.mended]
    parts += [pipeline.render_checked(each, sys.stdout) for each in search.left]
    count, left = len(search.mended), len(search.left)
    if not count and not left:
        parts.append("nothing to repair\n")
    else:
        sizes = sorted({size for each in search.mended for size in _sizes(search)})
        proven = f", proven at B = {', '.join(map(str, sizes))}" if sizes and not left else ""
        parts.append(f"{count} repaired{proven}; {left} left\n")
    return "\n".join(parts)


def _sizes(search: Any) -> tuple[int, ...]:
    met: tuple[int, ...] = search.last.own.met
    return met


def _patch(search: Any) -> str:
    apply = importlib.import_module("wellshaped.repair.apply")
    patch = importlib.import_module("wellshaped.report.patch")
    # Edits of a chain stand on each other, so the whole change is compared, not each edit.
    found = apply.stored(search.sources, search.read)
    return "".join(patch.diff(before.file, before.text, text) for before, text in found)


def _write(search: Any, *, backup: bool) -> None:
    apply = importlib.import_module("wellshaped.repair.apply")
    for before, text in apply.stored(search.sources, search.read):
        try:
            apply.write_source(before, text, backup=backup)
        except apply.Changed as error:
            raise BadUsage("WS954", str(error)) from error
