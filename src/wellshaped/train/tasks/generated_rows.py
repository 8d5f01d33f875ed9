"""Rows made on the spot, for each kind of task: small languages whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

_NOUNS: Final = ("river", "engine", "letter", "garden", "window", "market", "teacher", "bridge")
_VERBS: Final = ("sees", "paints", "follows", "repairs", "finds", "carries")
_TOPICS: Final = {
    "music": ("violin", "concert", "melody", "singer"),
    "sport": ("goal", "referee", "marathon", "stadium"),
    "food": ("bread", "kitchen", "pepper", "recipe"),
    "travel": ("airport", "luggage", "ticket", "harbour"),
}
_AMOUNTS: Final = {"tiny": 1.0, "small": 2.0, "large": 4.0, "huge": 8.0}
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def generate_rows(kind: str, *, rows: int, seed: int) -> list[dict[str, Any]]:
    """So many rows of a task, the same for the same seed."""
    chance = random.Random(f"{kind} {seed}")
    return [_MAKERS[kind](chance) for _ in range(rows)]


def _filled(chance: random.Random, words: list[str], *, most: int) -> str:
    """The words in a text of others, in any order."""
    others = [chance.choice((*_NOUNS, *_VERBS)) for _ in range(chance.randint(1, most))]
    text = [*words, *others]
    chance.shuffle(text)
    return " ".join(text)


def _classify(chance: random.Random) -> dict[str, Any]:
    label = chance.choice([*_TOPICS])
    words = [chance.choice(_TOPICS[label]) for _ in range(chance.randint(1, 3))]
    return {"text": _filled(chance, words, most=12), "label": label}


def _regress(chance: random.Random) -> dict[str, Any]:
    words = [chance.choice([*_AMOUNTS]) for _ in range(chance.randint(1, 5))]
    mean = sum(_AMOUNTS[word] for word in words) / len(words)
    return {"text": _filled(chance, words, most=4), "target": round(mean, 3)}


def _multilabel(chance: random.Random) -> dict[str, Any]:
    labels = [topic for topic in _TOPICS if chance.random() < 0.4]
    words = [chance.choice(_TOPICS[label]) for label in labels]
    return {"text": _filled(chance, words, most=8), "labels": labels}


def _tag(chance: random.Random) -> dict[str, Any]:
    """`watch` is a noun after an article and a verb after a name: its neighbour tells."""
    tokens, tags = [], []
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.5:
            tokens += ["the", chance.choice((*_NOUNS, "watch", "watch"))]
            tags += ["ARTICLE", "NOUN"]
        else:
            tokens += [chance.choice(("Ana", "Kenji", "Li")), chance.choice((*_VERBS, "watch"))]
            tags += ["NAME", "VERB"]
    return {"tokens": tokens, "tags": tags}


def _seq2seq(chance: random.Random) -> dict[str, Any]:
    digits = [chance.randrange(10) for _ in range(chance.randint(1, 5))]
    source = " ".join(_DIGITS[digit] for digit in digits)
    return {"source": source, "target": "".join(map(str, digits))}


_MAKERS: Final[dict[str, Callable[[random.Random], dict[str, Any]]]] = {
    "classify": _classify,
    "regress": _regress,
    "multilabel": _multilabel,
    "tag": _tag,
    "seq2seq": _seq2seq,
}
