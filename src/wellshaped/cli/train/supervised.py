"""`wellshaped train METHOD` for the algorithms that learn from rows of data."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from wellshaped.cli.train.dry_run import check_step
from wellshaped.cli.train.run_options import (
    INTERRUPTED,
    add_run_options,
    add_settings,
    given_settings,
    trackers,
)
from wellshaped.cli.usage import Parser
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm


@dataclass(frozen=True)
class SupervisedCommand:
    """One supervised algorithm as a command."""

    algorithm: type[SupervisedAlgorithm]

    @property
    def help(self) -> str:
        """What it trains, in a line."""
        return self.algorithm.help

    def declare(self, parser: Parser) -> None:
        """Name the model, the data and the settings."""
        parser.description = self.algorithm.description
        known = "folder, or name that `transformers` knows"
        parser.add_argument("--model", metavar="M", help=known)
        parser.add_argument(
            "--data",
            metavar="FILE",
            nargs="+",
            required=self.algorithm.needs_data,
            help="JSONL, CSV, Parquet, datasets",
        )
        parser.add_argument("--held-out", metavar="FILE", nargs="+", help="to evaluate on")
        add_settings(parser, self.algorithm)
        add_run_options(parser, out=self.algorithm.out)

    def act(self, arguments: argparse.Namespace, tell: Any) -> int:
        """Train, or check the step: 0, or 130 after an interrupt."""
        settings = given_settings(arguments, self.algorithm)
        settings |= {"model": arguments.model, "data": arguments.data}
        settings["skip_bad_rows"] = arguments.skip_bad_rows
        if arguments.dry_run:
            return check_step(arguments, tell, **settings)
        from wellshaped.train.supervised import train_supervised

        trained = train_supervised(
            self.algorithm.name,
            out=arguments.out,
            held_out=arguments.held_out,
            resume=arguments.resume,
            trackers=trackers(arguments),
            tell=tell,
            **settings,
        )
        return INTERRUPTED if trained.ended.how == "interrupted" else 0
