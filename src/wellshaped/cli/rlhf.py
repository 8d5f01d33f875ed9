"""`wellshaped rlhf`: demonstrations, preferences, policy, from one small configuration."""

from __future__ import annotations

import argparse

from wellshaped.cli.train import with_page
from wellshaped.cli.train.run_recorder import RunRecorder
from wellshaped.cli.usage import Parser, add_language

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

    def train(recorder: RunRecorder) -> int:
        from wellshaped.train.rlhf_run import default_plan, read_plan, rlhf

        file = arguments.plan
        plan = read_plan(file) if file else default_plan(arguments.seed)
        trained = rlhf(
            plan,
            out=arguments.out,
            resume=arguments.resume,
            threads=arguments.threads or (None if file else 1),
            tell=recorder,
        )
        is_whole = trained is not None and trained.ended.how != "interrupted"
        return 0 if is_whole else _INTERRUPTED

    title = f"rlhf ({arguments.out})"
    return with_page(train, arguments.report, title, arguments.out, lang=arguments.lang)
