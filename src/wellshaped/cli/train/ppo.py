"""`wellshaped train ppo`: a policy, improved by rewards with PPO."""

from __future__ import annotations

import argparse
from typing import Any

from wellshaped.cli.train.policy_options import act_policy, declare_policy
from wellshaped.cli.usage import Parser

HELP = "a policy, improved by rewards with PPO"
_DESCRIPTION = (
    "Writes responses, scores them, and improves the policy by clipped steps, held to what it was"
    " at the start."
)


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    parser.description = _DESCRIPTION
    declare_policy(parser, method="ppo")


def act(arguments: argparse.Namespace, tell: Any) -> int:
    """Train: 0, or 130 after an interrupt."""
    return act_policy(arguments, tell, method="ppo")
