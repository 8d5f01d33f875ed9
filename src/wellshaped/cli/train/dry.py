"""`--dry-run` of a training command: `wellshaped check` of what it does with each batch."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from typing import Any

from wellshaped.cli.sandboxing import OPTION, add_sandboxing
from wellshaped.cli.usage import Parser

# Where the program of a kind is written.
_PROGRAMS = {
    "reward": "wellshaped.train.reward.dry",
    "sft": "wellshaped.train.rl.dry_sft",
    "ppo": "wellshaped.train.rl.dry",
    "reinforce": "wellshaped.train.rl.dry",
}

# The names of the options: no settings of the run.
DRY_RUN = ("dry_run", "no_kernel_sandbox")


def add_dry_run(parser: Parser) -> None:
    """The option that every kind of training has."""
    text = "`wellshaped check` of this command's step"
    parser.add_argument("--dry-run", action="store_true", help=text)
    add_sandboxing(parser)


def dry_run_of(
    arguments: argparse.Namespace, *given: Any, settings: Mapping[str, Any], tell: Any
) -> int:
    """Check the step of a kind, with what it is given and its settings."""
    left = {name: value for name, value in settings.items() if name not in ("out", "resume")}
    skip = left.pop("skip_bad_rows")
    program = importlib.import_module(_PROGRAMS[arguments.kind])
    return dry_run(program.program_text(*given, skip=skip, tell=tell, **left), arguments)


def dry_run(text: str, arguments: argparse.Namespace) -> int:
    """Check the program of a command, and give the status of `wellshaped check`."""
    checking = importlib.import_module("wellshaped.cli.check")
    parser = Parser(prog="wellshaped check")
    checking.declare(parser)
    asked = parser.parse_args([OPTION] if arguments.no_kernel_sandbox else [])
    keeper = importlib.import_module("wellshaped.execute.forked.keeper")
    with keeper.kept_folder() as folder:
        script = folder / "dry_run.py"
        script.write_text(text, encoding="utf-8")
        asked.lang, asked.program = arguments.lang, [str(script)]
        return int(checking.act(asked))
