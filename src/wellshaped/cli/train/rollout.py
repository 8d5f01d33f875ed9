"""`wellshaped train METHOD` for the methods that improve a policy by rewards."""

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
from wellshaped.train.rollout_algorithm import RolloutAlgorithm

_OUT = "policy"


@dataclass(frozen=True)
class RolloutCommand:
    """One policy method as a command."""

    algorithm: type[RolloutAlgorithm]

    @property
    def help(self) -> str:
        """What it trains, in a line."""
        return self.algorithm.help

    def declare(self, parser: Parser) -> None:
        """Name the policy, its prompts, its reward, its server, and the settings."""
        parser.description = self.algorithm.description
        for name, form, text in (
            ("model", {"metavar": "M"}, "folder or name of the policy"),
            ("data", {"metavar": "FILE", "nargs": "+"}, "rows with a `prompt`"),
            ("reward", {"metavar": "R"}, "folder of a reward model, or file.py:function"),
        ):
            parser.add_argument(f"--{name}", required=True, help=text, **form)
        parser.add_argument("--held-out", metavar="FILE", nargs="+", help="prompts to evaluate on")
        add_settings(parser, self.algorithm)
        _add_server(parser)
        add_run_options(parser, out=_OUT)

    def act(self, arguments: argparse.Namespace, tell: Any) -> int:
        """Train, or check the step: 0, or 130 after an interrupt."""
        settings = given_settings(arguments, self.algorithm)
        settings |= {name: getattr(arguments, name) for name in ("model", "data", "reward")}
        settings["skip_bad_rows"] = arguments.skip_bad_rows
        if arguments.dry_run:
            return check_step(arguments, tell, **settings)
        from wellshaped.train.rollout import train_policy

        server = (arguments.endpoint, arguments.endpoint_model) if arguments.endpoint else None
        trained = train_policy(
            method=self.algorithm.name,
            out=arguments.out,
            held_out=arguments.held_out,
            resume=arguments.resume,
            trackers=trackers(arguments),
            endpoint=server,
            refresh=arguments.refresh,
            tell=tell,
            **settings,
        )
        return INTERRUPTED if trained.ended.how == "interrupted" else 0


def _add_server(parser: Parser) -> None:
    parser.add_argument("--endpoint", metavar="URL", help="server that writes the responses")
    parser.add_argument(
        "--endpoint-model", metavar="NAME", default="", help="its model, if it has several"
    )
    parser.add_argument(
        "--refresh",
        metavar="COMMAND",
        help="brings the policy in `{folder}` to the server of --endpoint",
    )
