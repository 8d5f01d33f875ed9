"""`wellshaped rlhf`: demonstrations, preferences, policy, from one small configuration."""

from __future__ import annotations

import argparse
import importlib

from wellshaped.cli.reporting import write_training
from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.records.phrase import Told

HELP = "train on demonstrations, then a reward model, then the policy with it"
_INTERRUPTED = 130


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    parser.add_argument(
        "plan", metavar="PLAN", nargs="?", help="TOML or JSON; without one, reviews made here"
    )
    parser.add_argument("--out", metavar="DIR", default="rlhf", help="where all of it goes (rlhf)")
    parser.add_argument("--resume", action="store_true", help="go on where it was left")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the default plan")
    threads = "of torch; small models are slower with several (1 for the default plan)"
    parser.add_argument("--threads", metavar="N", type=int, default=0, help=threads)
    parser.add_argument("--report", metavar="F", help="write a page with the curves and samples")
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Train all stages: 0, 2 where data or settings are wrong, 130 after an interrupt."""
    words = importlib.import_module("wellshaped.locale.catalogue").words(arguments.lang)
    narrator = importlib.import_module("wellshaped.report.narrator").Narrator(words=words)
    chain = importlib.import_module("wellshaped.train.rl.rlhf")
    threads = arguments.threads or (0 if arguments.plan else 1)
    if threads:
        importlib.import_module("torch").set_num_threads(threads)
    try:
        plan = (
            chain.read_plan(arguments.plan)
            if arguments.plan
            else chain.default_plan(arguments.seed)
        )
        trained = chain.rlhf(plan, out=arguments.out, resume=arguments.resume, tell=narrator)
    except Told as error:
        raise BadUsage.of(error) from error
    except KeyboardInterrupt:
        return _INTERRUPTED
    if trained is None:
        return _INTERRUPTED
    if arguments.report:
        write_training(arguments.report, "policy", str(trained.folder), lang=arguments.lang)
    return _INTERRUPTED if trained.ended.how == "interrupted" else 0
