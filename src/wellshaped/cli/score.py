"""`wellshaped score`: the rewards of texts or pairs, as JSONL, in the order they come in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.records.phrase import UserError

if TYPE_CHECKING:
    from wellshaped.train.data.bad_rows import BadRows
    from wellshaped.train.data.rows import Row

HELP = "give texts or pairs the rewards of a model, as JSONL"
_DESCRIPTION = (
    "Reads rows with `text` (or `messages`, `response`, `completion`, `answer`), or with `chosen`"
    " and `rejected`, each with its `prompt` if there is one. Writes each row with its `reward`, or"
    " with `chosen_reward` and `rejected_reward`. On standard input, a line that is no JSON object"
    " is a text."
)
# Batches that are sorted by length together; of standard input none waits for others.
_BATCHES = 16


def declare(parser: Parser) -> None:
    """Name the arguments."""
    parser.description = _DESCRIPTION
    parser.add_argument("--model", metavar="DIR", required=True, help="a reward model")
    parser.add_argument("files", metavar="FILE", nargs="*", help="JSONL, CSV, ...; else stdin")
    parser.add_argument("--batch", metavar="N", type=int, default=8, help="texts of a batch (8)")
    parser.add_argument("--length", metavar="N", type=int, default=1024, help="most tokens (1024)")
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Score: 0, 1 if some rows have no reward, 2 if there is no model or no data."""
    try:
        return _act(arguments)
    except UserError as error:
        raise BadUsage.of(error) from error
    except BrokenPipeError:  # whoever reads has seen enough
        sys.stdout = None
        return 0


def _act(arguments: argparse.Namespace) -> int:
    if arguments.batch < 1:
        raise UserError("WS988", "setting_range", name="batch", least="1", got=arguments.batch)
    from wellshaped.train.data.bad_rows import BadRows
    from wellshaped.train.reward.scoring import Scorer

    bad = BadRows()
    scorer = Scorer.load(arguments.model, length=arguments.length, batch=arguments.batch)
    for scored in scorer.score_rows(
        _rows(arguments.files, bad),
        window=arguments.batch * (_BATCHES if arguments.files else 1),
    ):
        if scored.fault is not None:
            bad.add(scored.row, scored.fault.name, **scored.fault.facts)
        rewards = {name: _digits(value) for name, value in scored.rewards.items()}
        line = json.dumps({**scored.row.fields, **rewards}, ensure_ascii=False)
        print(line, flush=not arguments.files)
    if len(bad):
        from wellshaped.locale import words
        from wellshaped.report.training import flaw_lines

        print(flaw_lines(bad.flaws, words(arguments.lang)), end="", file=sys.stderr)
    return 1 if len(bad) else 0


def _digits(value: Any) -> Any:
    """As many digits as a reward of 32 bits has."""
    if isinstance(value, list):
        return [_digits(each) for each in value]
    return None if value is None else float(f"{value:.7g}")


def _rows(files: list[str], bad: BadRows) -> Iterator[Row]:
    if files:
        from wellshaped.train.data.rows import read_rows

        return iter(read_rows(files, bad=bad))
    from wellshaped.train.reward.scoring import typed_rows

    return iter(typed_rows(sys.stdin, bad=bad))
