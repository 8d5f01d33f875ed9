"""`wellshaped explain`: the page of one rule, the list of all, or what an error's text says."""

from __future__ import annotations

import argparse
import os
import stat
import sys

from wellshaped.cli.streams import replace_by
from wellshaped.cli.usage import BadUsage, Parser, add_language

HELP = "print the page of a rule, list the rules, or explain the text of an error"


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    parser.add_argument(
        "code",
        nargs="?",
        metavar="CODE|TEXT|-",
        help="for instance WS101; or torch's message; or - for a traceback on stdin",
    )
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Print what was asked for: 0, or 2 where the code or the text is not known."""
    text = _text(arguments.code)
    if text is not None:
        return _explain(text, arguments.lang)
    from wellshaped.diagnose.engine import index
    from wellshaped.locale import words
    from wellshaped.report.text import page

    codes = [code for code, _, _ in index()]
    if arguments.code is None:
        print(page.render_index(codes, words(arguments.lang)), end="")
        return 0
    code = arguments.code.upper()
    if code not in codes:
        raise BadUsage("WS931", "no_rule", code=arguments.code)
    print(page.render(code, words(arguments.lang)), end="")
    return 0


def _text(given: str | None) -> str | None:
    """The text that is to be explained: a message has several words, a code is one."""
    if given == "-":
        return _piped()
    if given is None:
        return (_piped() or None) if _is_piped() else None
    return given if len(given.split()) > 1 else None


def _piped() -> str:
    """What is sent here; a program prints any byte, and a traceback is worth more than it."""
    replace_by(sys.stdin, "replace")
    return sys.stdin.read()


def _is_piped() -> bool:
    """Whether something is sent here: not a terminal, nor the nothing that schedulers give."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _explain(text: str, lang: str | None) -> int:
    from wellshaped.pipeline.explain import explain_text
    from wellshaped.report.text.terminal import should_color

    found = explain_text(text, lang)
    stream = sys.stdout if found else sys.stderr
    color = should_color(stream, environ=os.environ)
    print(found.text(color=color), file=stream)
    return 0 if found else 2
