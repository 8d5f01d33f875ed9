"""The options `--report` and `--show`, which every command that explains faults has."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wellshaped import __version__
from wellshaped.cli.usage import BadUsage, Parser
from wellshaped.files.replace import FileChange, replace_all
from wellshaped.files.room import why_not_writable
from wellshaped.files.whole import NotWritten, publish_text, writing
from wellshaped.records.phrase import UserError

USAGE = "[--report out.html] [--show flow]"


def add_reporting(parser: Parser) -> None:
    """Name the options."""
    parser.add_argument("--report", metavar="F", help="write a page that shows the findings")
    parser.add_argument(
        "--show", choices=("flow",), help="also draw the shape flow: how each tensor got its shape"
    )


def ask(arguments: Any) -> None:
    """Let the run that follows see what a picture needs, if its page can be written at all."""
    require_report(arguments.report)
    if arguments.report or arguments.show:
        from wellshaped.source.flow_capture import enable_flow_capture

        enable_flow_capture()


def flow_text(shown: Any, lang: str) -> str:
    """The shape flow as text, beside the program's own errors."""
    from wellshaped.pipeline.texts import drawn

    return drawn(shown, sys.stderr, lang)


def write_report(file: str, program: str, shown: Sequence[Any], *, lang: str, **more: Any) -> None:
    """Write the page; a bad usage where that cannot be done."""
    from wellshaped.report.web import findings

    write_page(file, findings.render(program, shown, lang=lang, version=__version__, **more))


def write_training(file: str, title: str, runs: Sequence[Any], *, lang: str) -> None:
    """Write the page of a training run, from what each of its stages left."""
    from wellshaped.report.web import training

    write_page(file, training.render(title, runs, lang=lang, version=__version__))


def require_report(file: str | None) -> None:
    """A bad usage where the page could not be written, before the work that it is to show."""
    reason = why_not_writable(Path(file)) if file else None
    if reason is not None:
        raise BadUsage("WS935", "cannot_report", file=file, error=reason)


def write_page(file: str, text: str) -> None:
    """Put a page in its file; a bad usage where that cannot be done."""
    try:
        _put(Path(file), text)
    except NotWritten as error:
        reason = error.message.facts["reason"]
        raise BadUsage("WS935", "cannot_report", file=file, error=reason) from error
    except UserError as error:
        raise BadUsage.of(error) from error


def _put(file: Path, text: str) -> None:
    """A page that is there already keeps its owner and its links."""
    if file.is_file():
        replace_all([FileChange(str(file), file.read_bytes(), text.encode())])
    elif file.exists():  # a terminal, a pipe
        with writing(file):
            file.write_text(text, encoding="utf-8")
    else:
        publish_text(file, text)
