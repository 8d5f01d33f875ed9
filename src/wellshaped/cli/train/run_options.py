"""The options that every run has, and those that derive from its settings."""

from __future__ import annotations

import argparse
from typing import Any

from wellshaped.cli.train.dry_run import add_dry_run
from wellshaped.cli.usage import Parser, add_language
from wellshaped.train.options import Setting, settings_of

INTERRUPTED = 130


def add_run_options(parser: Parser, *, out: str) -> None:
    """Where the run is kept, and what becomes of bad rows, of its curves and of its words."""
    parser.add_argument("--out", metavar="DIR", default=out, help=f"result and checkpoints ({out})")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument("--skip-bad-rows", action="store_true", help="train without bad rows")
    add_dry_run(parser)
    parser.add_argument(
        "--track",
        metavar="T,T",
        default="",
        help="tensorboard, wandb; tables in CSV are always kept",
    )
    parser.add_argument("--report", metavar="F", help="write a page with the curves and samples")
    add_language(parser)


def add_settings(parser: Parser, kind: type[Any]) -> None:
    """An option for each setting; what is not given keeps its default."""
    for each in settings_of(kind):
        flag = each.option.negated or each.name
        parser.add_argument(
            f"--{flag.replace('_', '-')}",
            dest=each.name,
            help=each.option.help or None,
            default=argparse.SUPPRESS,
            **_form(each),
        )


def given_settings(arguments: argparse.Namespace, kind: type[Any]) -> dict[str, Any]:
    """The settings that were given."""
    found = vars(arguments)
    return {each.name: found[each.name] for each in settings_of(kind) if each.name in found}


def trackers(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The trackers that were asked for."""
    return tuple(name for name in arguments.track.split(",") if name)


def _form(setting: Setting) -> dict[str, Any]:
    """How the value of a setting is written on the command line."""
    if setting.choices:
        return {"choices": setting.choices}
    if setting.type is bool:
        return {"action": "store_false" if setting.option.negated else "store_true"}
    form: dict[str, Any] = {"metavar": "N" if setting.type is int else "X", "type": setting.type}
    if setting.option.const is not None:
        form |= {"nargs": "?", "const": setting.option.const}
    return form
