"""`wellshaped train sft`: from demonstrations to a policy that answers as they do."""

from __future__ import annotations

import argparse
from typing import Any

from wellshaped.cli.train.loop_options import act_on_model, add_loop_options
from wellshaped.cli.usage import Parser

HELP = "a causal model, from prompts and the answers they should have"
_DESCRIPTION = (
    "Trains a causal model on rows with `prompt` and `response`, or `messages`, or a whole `text`."
    " Tokens of prompts are read and not learned. Without --model a small one is made."
)


def declare(parser: Parser) -> None:
    """Name the arguments; a default that is not shown is that of `SftSettings`."""
    parser.description = _DESCRIPTION
    given: dict[str, Any] = {"default": argparse.SUPPRESS}
    parser.add_argument("--model", metavar="M", help="folder, or name that `transformers` knows")
    parser.add_argument(
        "--data", metavar="FILE", nargs="+", required=True, help="JSONL, CSV, Parquet, datasets"
    )
    parser.add_argument("--held-out", metavar="FILE", nargs="+", help="to evaluate on")
    parser.add_argument("--hold-out", metavar="X", type=float, help="share of the data", **given)
    parser.add_argument("--length", metavar="N", type=int, help="most tokens of a row", **given)
    parser.add_argument(
        "--lora", metavar="R", type=int, nargs="?", const=8, help="rank of an adapter (8)", **given
    )
    add_loop_options(parser, out="sft-model")


def act(arguments: argparse.Namespace, tell: Any) -> int:
    """Train: 0, or 130 after an interrupt."""
    return act_on_model(arguments, tell, "wellshaped.train.rl.run_sft", "train_sft")
