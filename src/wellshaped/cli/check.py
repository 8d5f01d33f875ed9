"""`wellshaped check`: the program, dry, at every batch size it can meet."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from wellshaped import __version__
from wellshaped.cli.preflight import refuse_unrunnable
from wellshaped.cli.reporting import (
    USAGE,
    add_reporting,
    ask,
    write_report,
)
from wellshaped.cli.run import notebook_notes, program_of
from wellshaped.cli.sandboxing import OPTION, add_sandboxing, must_have_fork, sandboxing
from wellshaped.cli.splitting import EPILOG, PROGRAM
from wellshaped.cli.usage import BadUsage, Parser, add_budget, add_language
from wellshaped.records.check import Report
from wellshaped.records.failure import Failure
from wellshaped.records.status import status_of

if TYPE_CHECKING:
    from wellshaped.locale import Words

HELP = "find shape mistakes before the run, at every batch size"
# A dry run of a program's own `--help` shows nothing: it is ours, wherever it stands.
LEFT: tuple[str, ...] = ()
FORMATS = ("text", "json", "sarif", "github", "concise")
_USAGE = (
    "wellshaped check [-h] [--format F] [--json-version V] [--batch-sizes N,N] [--weights W]"
    f" [--budget S] [--broadcasts] [--certificate] [--allow-incomplete] [{OPTION}] {USAGE}"
    f" [--lang L] {PROGRAM}"
)


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage, parser.epilog = _USAGE, EPILOG
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print findings")
    add_json_version(parser)
    parser.add_argument("--batch-sizes", metavar="N,N", default="", help="sizes to try")
    parser.add_argument(
        "--weights",
        choices=("auto", "real", "fake"),
        default="auto",
        help="fake: data is real, models are shapes only, of any size; auto: where they are large",
    )
    add_budget(parser, default=60.0)
    parser.add_argument(
        "--broadcasts",
        action="store_true",
        help="list every broadcast of the program too, the suspicious ones first",
    )
    parser.add_argument(
        "--certificate",
        action="store_true",
        help="measure on a training step whether rows, their order and padding matter",
    )
    add_allowance(parser)
    add_sandboxing(parser)
    add_reporting(parser)
    add_language(parser)


def add_json_version(parser: Parser) -> None:
    """The option of everything that prints JSON: which version of it."""
    parser.add_argument(
        "--json-version",
        choices=(1, 2),
        type=int,
        default=2,
        help="version of `--format json` (default: 2)",
    )


def add_allowance(parser: Parser) -> None:
    """The option of everything that checks: what an incomplete check ends with."""
    parser.add_argument(
        "--allow-incomplete",
        action="store_true",
        help="end with 0 or 1, not 3, where a run was killed, out of budget or stopped early",
    )


def act(arguments: argparse.Namespace) -> int:
    """Check the program: 0 complete and clean, 1 findings, 2 it could not be run, 3 incomplete."""
    program = program_of(arguments.program, usage=_USAGE)
    refuse_unrunnable(program)
    must_have_fork()
    notebook_notes(program)
    if arguments.broadcasts and arguments.format not in ("text", "json"):
        raise BadUsage("WS932", "broadcast_formats")
    if arguments.show and arguments.format != "text":
        raise BadUsage("WS932", "show_formats")
    sizes = _sizes(arguments.batch_sizes)
    ask(arguments)
    from wellshaped.pipeline.check import check

    with sandboxing(arguments):
        outcome = check(
            program,
            batch_sizes=sizes,
            budget=arguments.budget,
            weights=arguments.weights,
            broadcasts=arguments.broadcasts,
            certificate=arguments.certificate,
            progress=_progress(arguments.format, arguments.lang),
        )
    _clear()
    if arguments.format != "text" or outcome.report.findings or not outcome.failure:
        print(_rendered(outcome.report, arguments), end="")
    if arguments.report:
        from wellshaped.pipeline.picture import of_checked

        shown = [of_checked(each) for each in outcome.report.findings]
        more = {"lang": arguments.lang, "report": outcome.report}
        write_report(arguments.report, program.name, shown, **more)
    if outcome.report.failure is not None:
        raise cannot_run(outcome.report.failure, "check")
    return status_of(outcome.report, allow_incomplete=arguments.allow_incomplete)


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        sizes = (0,)
    if any(size < 1 for size in sizes):
        raise BadUsage("WS932", "bad_sizes", text=repr(text))
    return sizes


def cannot_run(failure: Failure, command: str) -> BadUsage:
    """The error of a program that failed by itself."""
    from wellshaped.pipeline.failed import cannot_run as error_of

    return BadUsage.of(error_of(failure, command=command))


def words_of(lang: str) -> Words:
    """The words of a language, loaded when something is said."""
    from wellshaped.locale import words

    return words(lang)


def _progress(form: str, lang: str) -> Any:
    shown = form == "text" and sys.stderr.isatty()
    from wellshaped.report import summary

    def tell(what: Any) -> None:
        if shown:
            line = summary.checking_line(what, words_of(lang))
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    return tell


def _clear() -> None:
    if sys.stderr.isatty():
        with contextlib.suppress(OSError):
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _rendered(report: Report, arguments: argparse.Namespace) -> str:
    from wellshaped.diagnose.faults import rules
    from wellshaped.pipeline.texts import check_text
    from wellshaped.report.formats import concise, github, machine, sarif

    match arguments.format:
        case "json":
            return machine.render(report, version=arguments.json_version)
        case "sarif":
            return sarif.render(report, rules=rules(), version=__version__)
        case "github":
            return github.render(report)
        case "concise":
            return concise.render(report)
    return check_text(report, sys.stdout, arguments.lang, show=bool(arguments.show))
