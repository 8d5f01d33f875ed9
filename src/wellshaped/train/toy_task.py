"""A task that must be learned: reviews of known quality, for the demo, the tests and the bench.

The policy learns a made-up language from demonstrations, a reward model learns which of two
reviews is better, a few labels of them wrong, and the policy is improved by that model alone.
What the reviews are truly worth, the number of good words less that of bad ones, none of them
ever sees: it tells whether something was learned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any, Final

from wellshaped.train.data import reviews

Rows = list[dict[str, str]]
# Longer reviews than those of the reward model's own demo: there is more to gain.
_CLAUSES: Final = 4
_DEMONSTRATIONS, _PREFERENCES, _FLIPPED = 4000, 4800, 0.03
# Of 24 prompts, those that are held out, and how often each is answered in an evaluation.
_HELD, _TIMES = 8, 8
_OPINION: Final = rf" the \w+ \w+( very)? ({'|'.join((*reviews.GOOD, *reviews.BAD))})"
_REVIEW: Final = re.compile(rf"{_OPINION}( (and|but|while){_OPINION})* \.")

SFT: Final[dict[str, Any]] = {"epochs": 2, "batch": 32, "learning_rate": 3e-3, "hold_out": 0.02}
REWARD: Final[dict[str, Any]] = {"batch": 32, "learning_rate": 1e-3, "hold_out": 0.05}
POLICY: Final[dict[str, Any]] = {"response_length": 28, "normalise": 256, "kl": 0.05}


def demonstrations(seed: int) -> Rows:
    """Reviews as they are written, good and bad."""
    random = Random(f"demonstrations {seed}")
    return [
        {"prompt": reviews.prompt(random), "response": reviews.answer(random, clauses=_CLAUSES)}
        for _ in range(_DEMONSTRATIONS)
    ]


def preferences(seed: int) -> Rows:
    """Pairs of reviews, the better one chosen, but for a few."""
    return reviews.preferences(
        _PREFERENCES, seed=1_000_003 * seed + 1, clauses=_CLAUSES, flipped=_FLIPPED
    )


def prompts(seed: int) -> tuple[Rows, Rows]:
    """What is to be reviewed: to learn from, and, each several times, to evaluate on."""
    random = Random(f"prompts {seed}")
    texts = sorted({reviews.prompt(random) for _ in range(1000)})
    random.shuffle(texts)
    rows: Rows = [{"prompt": text} for text in texts]
    return rows[_HELD:], rows[:_HELD] * _TIMES


def quality(texts: Iterable[str]) -> float:
    """What texts are truly worth, on average."""
    found = [reviews.quality(text) for text in texts]
    return sum(found) / max(len(found), 1)


def well_formed(texts: Iterable[str]) -> float:
    """The share of texts that are reviews as they were demonstrated."""
    found = [_REVIEW.fullmatch(text) is not None for text in texts]
    return sum(found) / max(len(found), 1)
