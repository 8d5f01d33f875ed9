"""`wellshaped run`: the program as it is, and then what its shapes did wrong."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

from wellshaped.cli.reporting import (
    USAGE,
    add_reporting,
    ask,
    flow_text,
    write_report,
)
from wellshaped.cli.splitting import EPILOG, PROGRAM
from wellshaped.cli.splitting import HELP as HELP_OPTIONS
from wellshaped.cli.usage import BadUsage, Parser, add_language, usage_line
from wellshaped.execute.program import NoProgram, Program, execute
from wellshaped.integrations.loss_watch import loss_watch
from wellshaped.notebook import SUFFIX
from wellshaped.observe.loss_guard.on_import import LossWatch
from wellshaped.records.phrase import UserError

HELP = "run a program, and explain the shape mistake it ends with"
LEFT = HELP_OPTIONS  # the program runs as it is: `run train.py --help` is its own help
_HELP_AFTER = "`--help` after the program is the program's."
_INTERRUPTED = 130
_USAGE = f"wellshaped run [-h] {USAGE} [--lang L] {PROGRAM}"


def declare(parser: Parser) -> None:
    """Name the arguments of this command; those of the program never come here."""
    parser.usage, parser.epilog = _USAGE, f"{EPILOG} {_HELP_AFTER}"
    add_reporting(parser)
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Run the program, then say what was seen; its exit status is ours."""
    program = program_of(arguments.program, usage=_USAGE)
    for note in notebook_notes(program):
        print(_note(note, arguments.lang), file=sys.stderr)
    ours = sys.path[0 if sys.flags.safe_path else 1 :]
    arguments.report = os.path.abspath(arguments.report) if arguments.report else None
    ask(arguments)
    watch = loss_watch()
    watch.start()

    def explain(exception: BaseException) -> None:
        with _vanishing("explain this failure", "error", path=ours):
            _explain(exception, _seen_by(watch, arguments.lang), arguments)

    try:
        ended = execute(program, on_exception=explain)
    except NoProgram as error:
        watch.stop()
        raise BadUsage.of(error) from error
    if isinstance(ended.exception, KeyboardInterrupt) and ended.status == _INTERRUPTED:
        _die_of(ended.exception)
    if ended.exception is None:
        with _vanishing("judge the losses of this run", "result", path=ours):
            _report_hazards(_seen_by(watch, arguments.lang), arguments)
    return ended.status


def _seen_by(watch: LossWatch, lang: str) -> tuple[Any, ...]:
    """The calls that were seen; where losses could not be watched, a line that says so."""
    try:
        return watch.stop()
    except UserError as error:
        print(usage_line(BadUsage.of(error), lang), file=sys.stderr)
        return ()


def program_of(given: list[str], *, usage: str) -> Program:
    """`given` as python reads it: `script.py …`, `-m module …` or `-mmodule …`."""
    match given:
        case []:
            raise BadUsage("WS932", "no_program", usage=usage)
        case ["-m"]:
            raise BadUsage("WS932", "no_module", usage=usage)
        case ["-m", module, *rest]:
            return Program(module, tuple(rest), is_module=True)
        case [first, *rest] if first.startswith("-m"):
            return Program(first[2:], tuple(rest), is_module=True)
        case _:
            return Program(given[0], tuple(given[1:]))


def notebook_notes(program: Program) -> list[Any]:
    """The lines of a notebook that no run executes; a bad usage if it cannot be read."""
    if program.is_module or not program.name.endswith(SUFFIX):
        return []
    from wellshaped.notebook.skipped import skipped_lines

    try:
        return list(skipped_lines(program.name))
    except UserError as error:
        raise BadUsage.of(error) from error


def _note(note: Any, lang: str) -> str:
    from wellshaped.locale import words
    from wellshaped.report.summary import note_line

    return str(note_line(note, words(lang)))


def _explain(
    exception: BaseException, calls: tuple[Any, ...], arguments: argparse.Namespace
) -> None:
    # An interrupt or the like is somebody's wish, not a mistake.
    found = None
    if isinstance(exception, Exception) and _has_tensors():
        from wellshaped.pipeline.diagnosis import diagnose_exception

        found = diagnose_exception(exception, calls)
    _tell([] if found is None else [found], arguments)


def _report_hazards(calls: tuple[Any, ...], arguments: argparse.Namespace) -> None:
    found = []
    if calls and _has_tensors():
        from wellshaped.pipeline.diagnosis import diagnose_hazards

        found = list(diagnose_hazards(calls))
    _tell(found, arguments)


def _tell(found: list[Any], arguments: argparse.Namespace) -> None:
    """Say each diagnosis after what the program said, and write the page that was asked for."""
    shown = _pictured(found) if arguments.show or arguments.report else []
    for place, diagnosis in enumerate(found):
        from wellshaped.pipeline.texts import rendered

        text = rendered(diagnosis, arguments.lang)
        _say(text + (flow_text(shown[place], arguments.lang) if arguments.show else ""))
    if arguments.report:
        name = program_of(arguments.program, usage=_USAGE).name
        try:
            write_report(arguments.report, name, shown, lang=arguments.lang)
        except BadUsage as error:
            print(usage_line(error, arguments.lang), file=sys.stderr)


def _pictured(found: list[Any]) -> list[Any]:
    from wellshaped.pipeline.picture import of_diagnosis

    return [of_diagnosis(each) for each in found]


def _has_tensors() -> bool:
    """Without torch there are no shapes, and loading it now would take seconds."""
    return "torch" in sys.modules


def _die_of(interrupt: KeyboardInterrupt) -> NoReturn:
    """Hand it to python, which dies of SIGINT after its clean-up; it has been printed already."""
    hook, shown = sys.excepthook, interrupt.__traceback__

    def silent(*_: object) -> None:
        sys.excepthook = hook
        sys.last_traceback = interrupt.__traceback__ = shown

    sys.excepthook = silent
    raise interrupt


def _say(text: str) -> None:
    text = text.rstrip("\n")
    print(f"\n{text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def _vanishing(task: str, outcome: str, *, path: list[str]) -> Iterator[None]:
    """Whatever goes wrong inside is one line on stderr, and the program's outcome stands."""
    before = sys.path
    try:
        # Importing `tokenize` must not run the program a second time because it is so named.
        sys.path = [*path, *before]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except BaseException as error:  # an exit or interrupt, too, would replace the outcome
        with contextlib.suppress(Exception):
            name = type(error).__name__
            print(
                f"wellshaped: could not {task} (internal error: {name});"
                f" the program's own {outcome} stands",
                file=sys.stderr,
            )
            if os.environ.get("WELLSHAPED_DEBUG") == "1":
                traceback.print_exc()
    finally:
        sys.path = before
