"""`wellshaped shapes`: the shape of every tensor of one dry run, beside the source lines."""

from __future__ import annotations

import argparse

from wellshaped import __version__
from wellshaped.cli.check import cannot_run
from wellshaped.cli.preflight import refuse_unrunnable
from wellshaped.cli.reporting import require_report, write_page
from wellshaped.cli.run import notebook_notes, program_of
from wellshaped.cli.sandboxing import OPTION, add_sandboxing, must_have_fork, sandboxing
from wellshaped.cli.splitting import EPILOG, PROGRAM
from wellshaped.cli.usage import BadUsage, Parser, add_budget, add_language
from wellshaped.records.status import CLEAN, INCOMPLETE

HELP = "show the shape of every tensor and layer, beside the source lines"
LEFT: tuple[str, ...] = ()
_USAGE = (
    "wellshaped shapes [-h] [--format F] [--depth N] [--weights W] [--budget S] "
    f"[{OPTION}] [--report out.html] [--lang L] {PROGRAM}"
)


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage, parser.epilog = _USAGE, EPILOG
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print")
    parser.add_argument(
        "--depth", metavar="N", type=_depth, default=3, help="levels of layers to show (default: 3)"
    )
    parser.add_argument(
        "--weights",
        choices=("auto", "real", "fake"),
        default="auto",
        help="fake: models are shapes only, of any size; auto: where they are large",
    )
    add_budget(parser, default=60.0)
    add_sandboxing(parser)
    parser.add_argument("--report", metavar="F", help="write a page that shows the same")
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Show the shapes: 0 if the program ran to its end, 2 if not at all, 3 if not to its end."""
    program = program_of(arguments.program, usage=_USAGE)
    refuse_unrunnable(program)
    must_have_fork()
    notebook_notes(program)
    require_report(arguments.report)
    from wellshaped.locale import words
    from wellshaped.pipeline import shapes_of
    from wellshaped.report import shapes_json, shapes_page, shapes_text

    with sandboxing(arguments):
        report, failure = shapes_of(program, budget=arguments.budget, weights=arguments.weights)
    if failure is not None:
        raise cannot_run(failure, "shapes")
    if arguments.format == "json":
        print(shapes_json(report), end="")
    else:
        print(shapes_text(report, words(arguments.lang), depth=arguments.depth), end="")
    if arguments.report:
        more = {"lang": arguments.lang, "version": __version__, "depth": arguments.depth}
        write_page(arguments.report, shapes_page(report, **more))
    return CLEAN if report.complete else INCOMPLETE


def _depth(text: str) -> int:
    depth = int(text) if text.isdecimal() else 0
    if depth < 1:
        raise BadUsage("WS932", "bad_depth", text=repr(text))
    return depth
