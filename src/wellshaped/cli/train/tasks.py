"""`wellshaped train classify|regress|multilabel|tag|seq2seq`: the usual tasks on files."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import Any

from wellshaped.cli.train.dry_run import check_step
from wellshaped.cli.train.run_options import (
    INTERRUPTED,
    add_run_options,
    add_settings,
    trackers,
)
from wellshaped.cli.usage import Parser
from wellshaped.train.loop_settings import LoopSettings

# Read by the command itself; all others are options of the run.
_OURS = (
    *("command", "kind", "program", "lang", "predict", "track", "target"),
    *("dry_run", "no_kernel_sandbox"),
)
# What a run has, and the check of its step has not.
_OF_RUN = ("out", "resume", "held_out", "threads", "trackers")


@dataclass(frozen=True)
class TaskCommand:
    """One task as a command: its name, and the columns it reads."""

    name: str
    help: str
    text: str
    target: str
    takes_features: bool = False

    def declare(self, parser: Parser) -> None:
        """Name the data, the columns, the model and the loop; what is not given has its default."""
        given: dict[str, Any] = {"default": argparse.SUPPRESS}
        data = "JSONL, CSV, TSV, Parquet or a saved dataset; without it rows are generated"
        parser.add_argument("--data", metavar="FILE", nargs="+", help=data)
        parser.add_argument("--held-out", metavar="FILE", nargs="+", help="to evaluate on", **given)
        parser.add_argument(
            "--hold-out", metavar="X", type=float, help="share of the data (0.1)", **given
        )
        parser.add_argument(
            "--predict", metavar="FILE", nargs="+", help="as JSONL, by the result in --out"
        )
        self._declare_columns(parser, given)
        for name, text in (("width", "of the model (64)"), ("layers", "of the model (1)")):
            parser.add_argument(f"--{name}", metavar="N", type=int, help=text, **given)
        # A small model is slower with several.
        parser.add_argument("--threads", metavar="N", type=int, default=1, help="of torch (1)")
        rows = "rows of a batch in each process"
        parser.add_argument("--batch", metavar="N", type=int, help=rows, **given)
        add_settings(parser, LoopSettings)
        add_run_options(parser, out=f"{self.name}-run")

    def _declare_columns(self, parser: Parser, given: dict[str, Any]) -> None:
        text = f"column of the input ({self.text})"
        parser.add_argument("--text", metavar="COLUMN", help=text, **given)
        expected = f"column of what is expected ({self.target})"
        several = "; A,B for several" if self.name == "regress" else ""
        parser.add_argument("--target", metavar="COLUMN", help=expected + several)
        if self.takes_features:
            features = "columns of numbers; without --text instead of a text"
            parser.add_argument("--features", metavar="A,B", type=_listed, help=features, **given)
        if self.name != "tag":
            level = "how a text is divided"
            parser.add_argument("--level", choices=("word", "byte"), help=level, **given)

    def act(self, arguments: argparse.Namespace, tell: Any) -> int:
        """Train, predict, or check the command itself: 0, or 130 after an interrupt."""
        if arguments.predict:
            return self._predict(arguments, tell)
        options = self._options(arguments)
        if arguments.dry_run:
            left = {name: value for name, value in options.items() if name not in _OF_RUN}
            return check_step(arguments, tell, **left)
        from wellshaped.train.tasks.fit import fit
        from wellshaped.train.tasks.functions import make_plan

        result = fit(*make_plan(self.name, **options), tell=tell)
        return INTERRUPTED if result.ended.how == "interrupted" else 0

    def _options(self, arguments: argparse.Namespace) -> dict[str, Any]:
        options = {name: value for name, value in vars(arguments).items() if name not in _OURS}
        options["trackers"] = trackers(arguments)
        if arguments.target is not None:
            several = self.name == "regress"
            options["targets"] = _listed(arguments.target) if several else (arguments.target,)
        return options

    def _predict(self, arguments: argparse.Namespace, tell: Any) -> int:
        """One line of JSON for each row: the row, and its prediction."""
        from wellshaped.train.tasks.predict import predictions

        skip = arguments.skip_bad_rows
        folder, files = arguments.out, arguments.predict
        for row in predictions(self.name, folder, files, skip_bad_rows=skip, tell=tell):
            print(json.dumps(row, ensure_ascii=False))
        return 0


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


TASKS = (
    TaskCommand("classify", "a text, or numbers, to its class", "text", "label", True),
    TaskCommand("regress", "a text, or numbers, to a number", "text", "target", True),
    TaskCommand("multilabel", "a text to any number of labels", "text", "labels", True),
    TaskCommand("tag", "each token of a list to its tag", "tokens", "tags"),
    TaskCommand("seq2seq", "a text to another", "source", "target"),
)
