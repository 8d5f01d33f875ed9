"""The options of `train ppo` and `train reinforce`; what is not given keeps its default."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from wellshaped.cli.train.dry import DRY_RUN, add_dry_run, dry_run_of
from wellshaped.cli.usage import Parser, add_language

_NUMBERS: tuple[tuple[str, type[Any], str], ...] = (
    ("updates", int, "times that responses are written and learned from"),
    ("prompts", int, "prompts of an update"),
    ("samples", int, "responses to each prompt"),
    ("epochs", int, "times that the responses of an update are learned from"),
    ("minibatch", int, "responses of one step of the optimizer"),
    ("rows", int, "responses of one forward pass; 0 is all of a minibatch"),
    ("learning-rate", float, "learning rate"),
    ("warmup", int, "updates over which the learning rate rises"),
    ("max-gradient", float, "most that the gradients measure together"),
    ("kl", float, "price of a nat away from the reference"),
    ("kl-target", float, "steer that price towards this KL of a response; 0 for a fixed price"),
    ("kl-horizon", float, "responses over which it is steered"),
    ("stop-kl", float, "end the epochs of an update when the policy moved so far; 0 never does"),
    ("entropy-coefficient", float, "bonus for entropy"),
    ("score-clip", float, "scores are kept within this of 0; 0 for no limit"),
    ("missing-end-penalty", float, "taken off the score of a response without an end"),
    ("normalise", int, "responses of the reference that set mean 0, deviation 1 of scores"),
    ("response-length", int, "most tokens of a response"),
    ("prompt-length", int, "most tokens of a prompt; its beginning is cut"),
    ("temperature", float, "of the draws, and of all log-probabilities"),
    ("top-k", int, "draw from the likeliest words only; the KL is then not exact"),
    ("top-p", float, "draw from the likeliest part only; the KL is then not exact"),
    ("min-length", int, "no end before so many tokens; the KL is then not exact"),
    ("hold-out", float, "share of the prompts to evaluate on, if no others are given"),
    ("evaluated", int, "most prompts that are evaluated on"),
    ("evaluate-every", int, "updates between evaluations"),
    ("save-every", int, "updates between checkpoints"),
    ("keep", int, "checkpoints that are kept, beside the best"),
    ("seed", int, "of everything that is drawn by chance"),
)
_OF_PPO: tuple[tuple[str, type[Any], str], ...] = (
    ("clip", float, "how far the ratio to the old policy may count"),
    ("value-clip", float, "how far values may move from the old ones; 0 for no limit"),
    ("value-coefficient", float, "weight of the value loss"),
    ("gamma", float, "discount"),
    ("lam", float, "lambda of the generalised advantages"),
)
# Read by the command itself; all others are settings of the run.
_OURS = (
    *("command", "kind", "program", "lang", "model", "data", "reward", "held_out", "track"),
    *("endpoint", "endpoint_model", "refresh", "threads", *DRY_RUN),
)


def declare_policy(parser: Parser, *, method: str) -> None:
    """Name the arguments; a default that is not shown is that of `Settings`."""
    given: dict[str, Any] = {"default": argparse.SUPPRESS}
    parser.add_argument("--model", metavar="M", required=True, help="folder or name of the policy")
    parser.add_argument(
        "--data", metavar="FILE", nargs="+", required=True, help="rows with a `prompt`"
    )
    parser.add_argument(
        "--reward",
        metavar="R",
        required=True,
        help="folder of a reward model, or file.py:function",
    )
    parser.add_argument("--held-out", metavar="FILE", nargs="+", help="prompts to evaluate on")
    parser.add_argument("--out", metavar="DIR", default="policy", help="result and checkpoints")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument("--skip-bad-rows", action="store_true", help="train without bad rows")
    add_dry_run(parser)
    parser.add_argument(
        "--track", metavar="T,T", default="", help="tensorboard, wandb; CSV tables are always kept"
    )
    for name, kind, text in (*_NUMBERS, *(_OF_PPO if method == "ppo" else ())):
        parser.add_argument(f"--{name}", metavar="N", type=kind, help=text, **given)
    if method == "ppo":
        parser.add_argument("--value", choices=("separate", "shared"), **given)
        parser.add_argument("--slot", choices=("last", "after"), help="of the score", **given)
        parser.add_argument("--whiten-rewards", action="store_true", **given)
    parser.add_argument(
        "--lora", metavar="R", type=int, nargs="?", const=8, help="rank of an adapter (8)", **given
    )
    parser.add_argument("--checkpointing", action="store_true", help="less memory", **given)
    parser.add_argument("--precision", choices=("no", "bf16", "fp16"), **given)
    parser.add_argument("--report", metavar="F", help="write a page with the curves and samples")
    parser.add_argument("--threads", metavar="N", type=int, default=0, help="of torch")
    parser.add_argument("--endpoint", metavar="URL", help="server that writes the responses")
    parser.add_argument(
        "--endpoint-model", metavar="NAME", default="", help="its model, if it has several"
    )
    parser.add_argument(
        "--refresh",
        metavar="COMMAND",
        help="brings the policy in `{folder}` to the server of --endpoint",
    )
    add_language(parser)


def act_policy(arguments: argparse.Namespace, tell: Any, *, method: str) -> int:
    """Train: 0, or 130 after an interrupt."""
    run = importlib.import_module("wellshaped.train.rl.run")
    if arguments.threads:
        importlib.import_module("torch").set_num_threads(arguments.threads)
    settings = {name: value for name, value in vars(arguments).items() if name not in _OURS}
    settings["method"] = method
    if arguments.dry_run:
        given = (arguments.model, arguments.data, arguments.reward)
        return dry_run_of(arguments, *given, settings=settings, tell=tell)
    trained = run.train_policy(
        arguments.model,
        arguments.data,
        arguments.reward,
        held_out=arguments.held_out,
        trackers=tuple(name for name in arguments.track.split(",") if name),
        tell=tell,
        endpoint=(arguments.endpoint, arguments.endpoint_model) if arguments.endpoint else None,
        refresh=arguments.refresh,
        **settings,
    )
    return 130 if trained.ended.how == "interrupted" else 0
