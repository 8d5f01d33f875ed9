"""`wellshaped explain`: the page of one rule, or the list of all."""

from __future__ import annotations

import argparse
import importlib

from wellshaped.cli.usage import BadUsage, Parser, add_language

HELP = "print the page of a rule, or list the rules"


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="for instance WS101")
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Print what was asked for."""
    engine = importlib.import_module("wellshaped.diagnose.engine")
    pages = importlib.import_module("wellshaped.report.page")
    words = importlib.import_module("wellshaped.locale.catalogue").words(arguments.lang)
    codes = [code for code, _, _ in engine.index()]
    if arguments.code is None:
        print(pages.render_index(codes, words), end="")
        return 0
    code = arguments.code.upper()
    if code not in codes:
        raise BadUsage("WS931", "no_rule", code=arguments.code)
    print(pages.render(code, words), end="")
    return 0
