"""The command `wellshaped`: one file for each subcommand."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from typing import Any

from wellshaped.cli import check, explain, fix, lsp, mcp, rlhf, run, score, serve, train
from wellshaped.cli.usage import BadUsage, Parser, error_line
from wellshaped.locale.language import LANGUAGES, NoLanguage, can_print, language
from wellshaped.records.phrase import Told

_COMMANDS: dict[str, Any] = {
    "run": run,
    "check": check,
    "fix": fix,
    "explain": explain,
    "train": train,
    "score": score,
    "rlhf": rlhf,
    "serve": serve,
    "lsp": lsp,
    "mcp": mcp,
}


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    given = sys.argv[1:] if argv is None else argv
    lang = ""
    try:
        arguments = _parse(given)
        lang = arguments.lang = _language(arguments.lang)
        return int(_COMMANDS[arguments.command].act(arguments))
    except (BadUsage, Told) as error:
        wrong = BadUsage.of(error) if isinstance(error, Told) else error
        print(error_line(wrong, lang or _guessed(given)), file=sys.stderr)
        return 2
    except SystemExit as request:  # argparse ends `--help` and `--version` this way
        return request.code if isinstance(request.code, int) else 0


def _parse(given: list[str]) -> argparse.Namespace:
    program: list[str] = []
    command = _COMMANDS.get(given[0]) if given else None
    if command is not None and hasattr(command, "split"):
        # What follows the script is the program's: argparse would take its options for ours.
        ours, program = command.split(given[1:])
        given = [given[0], *ours]
    return _parser().parse_args(given, argparse.Namespace(program=program))


def _language(asked: str | None) -> str:
    """The language that was asked for, or the environment's, if its letters can be printed."""
    try:
        lang = language(asked)
    except NoLanguage as error:
        known = ", ".join(LANGUAGES)
        raise BadUsage(error.code, "no_language", asked=asked, known=known) from error
    return lang if asked or can_print(lang, sys.stdout.encoding) else "en"


def _guessed(given: list[str]) -> str:
    """The language of a command line that could not be read."""
    asked = re.search(r"\n--lang[=\n](.*)", "\n".join(given))
    try:
        return _language(asked[1] if asked else None)
    except BadUsage:
        return _language(None)


def _parser() -> Parser:
    parser = Parser(
        prog="wellshaped",
        description="Explains, finds and repairs tensor-shape mistakes in PyTorch training code.",
        allow_abbrev=False,
    )
    version = importlib.import_module("wellshaped").__version__
    parser.add_argument("--version", action="version", version=f"wellshaped {version}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in _COMMANDS.items():
        command.declare(commands.add_parser(name, help=command.HELP, allow_abbrev=False))
    return parser
