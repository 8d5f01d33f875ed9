"""The command `wellshaped`: one file for each subcommand."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from wellshaped import __version__
from wellshaped.cli import check, explain, fix, lsp, mcp, rlhf, run, score, shapes, train
from wellshaped.cli.endings import ended, ending_signals
from wellshaped.cli.splitting import options_of, split
from wellshaped.cli.streams import safe_streams
from wellshaped.cli.unclear import refuse_unclear
from wellshaped.cli.usage import BadUsage, Parser, usage_line
from wellshaped.execute import allow_search_ahead as allow_search_ahead
from wellshaped.locale.language import LANGUAGES, NoLanguage, can_print, language
from wellshaped.records.phrase import UserError

_COMMANDS: dict[str, Any] = {
    "run": run,
    "check": check,
    "fix": fix,
    "shapes": shapes,
    "explain": explain,
    "train": train,
    "score": score,
    "rlhf": rlhf,
    "lsp": lsp,
    "mcp": mcp,
}
# Those that run a program, whose arguments stand beside our options.
_RUNNING = ("run", "check", "fix", "shapes")


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    given = sys.argv[1:] if argv is None else argv
    if given[:1] == ["run"]:
        return _status(given)  # streams and signals are the program's
    with safe_streams(), ending_signals():
        return ended(lambda: _status(given), lambda: _guessed(given))


def _status(given: list[str]) -> int:
    lang = ""
    try:
        arguments = _parse(given)
        lang = arguments.lang = _language(arguments.lang)
        return int(_COMMANDS[arguments.command].act(arguments))
    except (BadUsage, UserError) as error:
        told = BadUsage.of(error) if isinstance(error, UserError) else error
        print(usage_line(told, lang or _guessed(given)), file=sys.stderr)
        return 2
    except SystemExit as request:  # argparse ends `--help` and `--version` this way
        return request.code if isinstance(request.code, int) else 0


def _parse(given: list[str]) -> argparse.Namespace:
    parser, commands = _parser()
    program: list[str] = []
    if given and given[0] in _RUNNING:
        known = {name: options_of(commands[name]) for name in _RUNNING}
        # argparse would take the program's options for ours.
        parts = split(given[1:], known[given[0]], left=_COMMANDS[given[0]].LEFT)
        refuse_unclear(given[0], parts, known)
        given, program = [given[0], *parts.ours], [*parts.program]
    return parser.parse_args(given, argparse.Namespace(program=program))


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


def _parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of all commands, and that of each by its name."""
    parser = Parser(
        prog="wellshaped",
        description="Explains, finds and repairs tensor-shape mistakes in PyTorch training code.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"wellshaped {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    each = {}
    for name, command in _COMMANDS.items():
        each[name] = commands.add_parser(name, help=command.HELP, allow_abbrev=False)
        command.declare(each[name])
    return parser, each
