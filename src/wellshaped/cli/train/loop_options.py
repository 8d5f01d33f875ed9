"""The options of the loop that every kind of training has, and a run with what was given."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from wellshaped.cli.train.dry import DRY_RUN, add_dry_run, dry_run_of
from wellshaped.cli.usage import Parser, add_language

_NUMBERS: tuple[tuple[str, type[Any], str], ...] = (
    ("epochs", int, "times that all data is seen"),
    ("steps", int, "steps of the optimizer, instead of epochs"),
    ("batch", int, "rows of a batch in each process"),
    ("accumulate", int, "batches that make one step"),
    ("learning-rate", float, "highest learning rate"),
    ("weight-decay", float, "of weights; biases, scales and embeddings have none"),
    ("warmup", float, "share of all steps below 1, number of steps from 1 on"),
    ("clip", float, "most that the gradients measure together; 0 for no limit"),
    ("evaluate-every", int, "steps; 0 is once an epoch"),
    ("save-every", int, "steps between checkpoints; 0 is once an epoch"),
    ("keep", int, "checkpoints that are kept, beside the best"),
    ("patience", int, "evaluations without a better one that end the run; 0 never does"),
    ("seed", int, "of everything that is drawn by chance"),
)
# What is not a setting of the run.
_OURS = ("command", "kind", "program", "lang", "model", "data", "held_out", "track", *DRY_RUN)


def add_loop_options(parser: Parser, *, out: str) -> None:
    """Where the run is kept, how long it goes, and how it learns; not given, it is the default."""
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
    given: dict[str, Any] = {"default": argparse.SUPPRESS}
    for name, kind, text in _NUMBERS:
        parser.add_argument(f"--{name}", metavar="N", type=kind, help=text, **given)
    parser.add_argument("--schedule", choices=("constant", "linear", "cosine"), **given)
    parser.add_argument("--precision", choices=("no", "bf16", "fp16"), **given)
    add_language(parser)


def act_on_model(arguments: argparse.Namespace, tell: Any, module: str, name: str) -> int:
    """Train a model by the function of this name: 0, or 130 after an interrupt."""
    settings = {key: value for key, value in vars(arguments).items() if key not in _OURS}
    if arguments.dry_run:
        return dry_run_of(arguments, arguments.model, arguments.data, settings=settings, tell=tell)
    trained = getattr(importlib.import_module(module), name)(
        arguments.model,
        arguments.data,
        held_out=arguments.held_out,
        trackers=tuple(each for each in arguments.track.split(",") if each),
        tell=tell,
        **settings,
    )
    return 130 if trained.ended.how == "interrupted" else 0
