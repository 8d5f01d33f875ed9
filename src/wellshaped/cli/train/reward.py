"""`wellshaped train reward`: from preferences to a reward model."""

from __future__ import annotations

import argparse
from typing import Any

from wellshaped.cli.train.loop_options import act_on_model, add_loop_options
from wellshaped.cli.usage import Parser

HELP = "a reward model, from pairs of a preferred answer and another"
_DESCRIPTION = (
    "Trains a reward model on rows with `chosen`, `rejected` and, if wanted, `prompt`, `margin` and"
    " `weight`. Without --model a small one is made, without --data reviews are generated."
)
# Read by the command itself; all others are settings of the run.


def declare(parser: Parser) -> None:
    """Name the arguments; a default that is not shown is that of `RewardSettings`."""
    parser.description = _DESCRIPTION
    parser.add_argument("--model", metavar="M", help="folder, or name that `transformers` knows")
    parser.add_argument("--data", metavar="FILE", nargs="+", help="JSONL, CSV, Parquet, datasets")
    parser.add_argument("--held-out", metavar="FILE", nargs="+", help="to evaluate on")
    given: dict[str, Any] = {"default": argparse.SUPPRESS}
    parser.add_argument("--hold-out", metavar="X", type=float, help="share of the data", **given)
    parser.add_argument("--length", metavar="N", type=int, help="most tokens of a text", **given)
    parser.add_argument("--pooling", choices=("last", "mean", "attention"), **given)
    parser.add_argument("--loss", choices=("bradley_terry", "margin_ranking"), **given)
    for name, text in (
        ("margin", "lead that every chosen answer is to have"),
        ("smoothing", "share of labels taken as swapped"),
        ("centring", "price of rewards whose sum is not 0"),
    ):
        parser.add_argument(f"--{name}", metavar="X", type=float, help=text, **given)
    parser.add_argument(
        "--lora",
        metavar="R",
        type=int,
        nargs="?",
        const=8,
        help="adapters of this rank (8)",
        **given,
    )
    for name, text in (
        ("freeze", "train the head alone"),
        ("checkpointing", "less memory: compute states again for the gradients"),
    ):
        parser.add_argument(f"--{name}", action="store_true", help=text, **given)
    parser.add_argument(
        "--padded", dest="fast", action="store_false", help="without the short cuts", **given
    )
    parser.add_argument("--threads", metavar="N", type=int, help="of torch", **given)
    add_loop_options(parser, out="reward-model")


def act(arguments: argparse.Namespace, tell: Any) -> int:
    """Train: 0, or 130 after an interrupt."""
    return act_on_model(arguments, tell, "wellshaped.train.reward.run", "train_reward")
