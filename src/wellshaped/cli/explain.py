"""`wellshaped explain`: the page of one rule, or the list of all."""

from __future__ import annotations

import argparse
import importlib

from wellshaped.cli.usage import BadUsage, Parser

HELP = "print the page of a rule, or list the rules"


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="for instance WS101")


def act(arguments: argparse.Namespace) -> int:
    """Print what was asked for."""
    engine = importlib.import_module("wellshaped.diagnose.engine")
    index: list[tuple[str, str, str]] = engine.index()
    if arguments.code is None:
        for line in _listing(index):
            print(line)
        return 0
    code = arguments.code.upper()
    if code not in {known for known, _, _ in index}:
        raise BadUsage(
            "WS931", f"no rule has the code `{arguments.code}`; see `wellshaped explain`"
        )
    print(engine.page(code).rstrip("\n"))
    return 0


def _listing(index: list[tuple[str, str, str]]) -> list[str]:
    width = max((len(name) for _, name, _ in index), default=0)
    return [f"{code}  {name:{width}}  {headline}" for code, name, headline in index]
