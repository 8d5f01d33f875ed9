"""A small made-up language of reviews whose true reward is known: for demos and learning tasks."""

from __future__ import annotations

from random import Random
from typing import Final

GOOD: Final = ("warm", "fresh", "bright", "kind", "clean", "calm", "lovely", "fine")
BAD: Final = ("cold", "stale", "dark", "rude", "dirty", "noisy", "ugly", "poor")
PLACES: Final = ("hotel", "museum", "cinema", "garden", "market", "library", "bakery", "station")
PARTS: Final = ("soup", "staff", "room", "music", "view", "bread", "floor", "light")
_VERBS: Final = ("was", "seemed", "felt")
_LINKS: Final = ("and", "but", "while")
_AGES: Final = ("old", "new", "small")


def quality(text: str) -> int:
    """The true reward of a text: its good adjectives less its bad ones; length earns nothing."""
    words = text.split()
    return sum(word in GOOD for word in words) - sum(word in BAD for word in words)


def prompt(random: Random) -> str:
    """What is to be reviewed: `review of the old hotel :`."""
    return f"review of the {random.choice(_AGES)} {random.choice(PLACES)} :"


def answer(random: Random, *, clauses: int = 3) -> str:
    """One to `clauses` opinions: ` the soup was warm but the staff seemed rude .`."""
    text = _opinion(random)
    for _ in range(random.randrange(clauses)):
        text += f" {random.choice(_LINKS)}{_opinion(random)}"
    return f"{text} ."


def preferences(
    count: int, *, seed: int = 0, clauses: int = 3, flipped: float = 0.0
) -> list[dict[str, str]]:
    """Pairs of answers to one prompt, the better one chosen; a part of them the wrong way round."""
    random = Random(seed)
    rows = []
    for _ in range(count):
        asked, first, second = prompt(random), "", ""
        while quality(first) == quality(second):
            first, second = answer(random, clauses=clauses), answer(random, clauses=clauses)
        mistaken = random.random() < flipped
        if (quality(first) > quality(second)) == mistaken:
            first, second = second, first
        rows.append({"prompt": asked, "chosen": first, "rejected": second})
    return rows


def texts(count: int, *, seed: int = 0, clauses: int = 3) -> list[str]:
    """Whole reviews, prompt and answer: what a language model or a tokenizer learns from."""
    random = Random(seed)
    return [prompt(random) + answer(random, clauses=clauses) for _ in range(count)]


def _opinion(random: Random) -> str:
    very = " very" if random.random() < 0.2 else ""
    adjective = random.choice((*GOOD, *BAD))
    return f" the {random.choice(PARTS)} {random.choice(_VERBS)}{very} {adjective}"
