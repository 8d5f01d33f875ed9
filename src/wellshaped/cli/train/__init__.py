"""`wellshaped train KIND`: the tasks, and the algorithms that `wellshaped.train` has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wellshaped.cli.reporting import require_report
from wellshaped.cli.train.rollout import RolloutCommand
from wellshaped.cli.train.run_recorder import RunRecorder
from wellshaped.cli.train.supervised import SupervisedCommand
from wellshaped.cli.train.tasks import TASKS
from wellshaped.cli.usage import BadUsage, Parser, usage_line
from wellshaped.files.room import require_folder
from wellshaped.integrations.extras import need
from wellshaped.records.phrase import UserError
from wellshaped.train.algorithms import algorithms
from wellshaped.train.rollout_algorithm import RolloutAlgorithm
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm

HELP = "train a model that is well shaped by construction"
_NEEDED = ("accelerate", "matplotlib", "safetensors")

# Each has `help`, `declare(parser)`, `act(arguments, tell) -> int`; what is heavy loads in `act`.
KINDS: dict[str, Any] = {
    **{each.name: each for each in TASKS},
    **{name: SupervisedCommand(each) for name, each in algorithms(SupervisedAlgorithm).items()},
    **{name: RolloutCommand(each) for name, each in algorithms(RolloutAlgorithm).items()},
}


def declare(parser: Parser) -> None:
    """Name the kinds; each names its own arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, kind in KINDS.items():
        kind.declare(kinds.add_parser(name, help=kind.help, allow_abbrev=False))


def act(arguments: argparse.Namespace) -> int:
    """Train: 0, 2 where data or settings are wrong, 130 after an interrupt."""
    report = vars(arguments).pop("report", None)  # no setting of the run
    title = f"train {arguments.kind} ({arguments.out})"

    def train(recorder: RunRecorder) -> int:
        for package in _NEEDED:
            need(package, extra="train")
        return int(KINDS[arguments.kind].act(arguments, recorder))

    is_writing = not arguments.dry_run and not getattr(arguments, "predict", None)
    folder, lang = arguments.out, arguments.lang
    return with_page(train, report, title, folder, lang=lang, is_writing=is_writing)


def with_page(
    train: Callable[[RunRecorder], int],
    report: str | None,
    title: str,
    folder: str,
    *,
    lang: str,
    is_writing: bool = True,
) -> int:
    """Train, and write the page whatever comes of it, if one is asked for.

    Both are tried for their places first: it takes long to get there.
    """
    require_report(report)
    recorder = RunRecorder(lang)
    try:
        if is_writing:
            require_folder(Path(folder))
        status = train(recorder)
    except KeyboardInterrupt:
        _write_page(recorder, report, title, folder, lang=lang)
        raise
    except Exception as error:  # it goes on as it is, or as one line; the page tells of it
        recorder.failed(error)
        try:
            _write_page(recorder, report, title, folder, lang=lang)
        except BadUsage as other:  # a full disk has no room for the page either
            print(usage_line(other, lang), file=sys.stderr)
        if isinstance(error, UserError):
            raise BadUsage.of(error) from error
        raise
    _write_page(recorder, report, title, folder, lang=lang)
    return status


def _write_page(
    recorder: RunRecorder, report: str | None, title: str, folder: str, *, lang: str
) -> None:
    if report:
        recorder.write_page(report, title, folder, lang=lang)
