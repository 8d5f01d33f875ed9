"""`--dry-run` of a training command: `wellshaped check` of what it does with each batch."""

from __future__ import annotations

import argparse
from typing import Any

from wellshaped.cli.sandboxing import OPTION, add_sandboxing, must_have_fork
from wellshaped.cli.usage import Parser


def add_dry_run(parser: Parser) -> None:
    """The option that every kind of training has."""
    text = "`wellshaped check` of this command's step"
    parser.add_argument("--dry-run", action="store_true", help=text)
    add_sandboxing(parser)


def check_step(arguments: argparse.Namespace, tell: Any, **options: Any) -> int:
    """Check the step of this command, and give the status of `wellshaped check`."""
    from wellshaped.train.dry_run import program_text

    return check_program(program_text(arguments.kind, tell=tell, **options), arguments)


def check_program(text: str, arguments: argparse.Namespace) -> int:
    """Check a program that is written for it."""
    must_have_fork()
    from wellshaped.cli import check
    from wellshaped.execute.forked.keeper import kept_folder

    parser = Parser(prog="wellshaped check")
    check.declare(parser)
    asked = parser.parse_args([OPTION] if arguments.no_kernel_sandbox else [])
    with kept_folder() as folder:
        script = folder / "dry_run.py"
        script.write_text(text, encoding="utf-8")
        asked.lang, asked.program = arguments.lang, [str(script)]
        return check.act(asked)
