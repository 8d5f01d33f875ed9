"""Texts as numbers and back: by words or by bytes, with a vocabulary from the training rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

Level = Literal["word", "byte"]
LEVELS: Final[tuple[Level, ...]] = ("word", "byte")
UNKNOWN, BOS, EOS = 0, 1, 2
_SPECIAL: Final = ("<unknown>", "<bos>", "<eos>")
_MOST_WORDS: Final = 30_000
_WORD: Final = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Vocabulary:
    """The tokens there are; the first three are for unknown ones, the beginning and the end."""

    level: Level
    tokens: tuple[str, ...]
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {token: number for number, token in enumerate(self.tokens)}
        object.__setattr__(self, "_numbers", numbers)

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def of(cls, texts: Iterable[tuple[str, ...]], level: Level) -> Vocabulary:
        """Every byte, or the words that occur, the frequent ones first."""
        if level == "byte":
            return cls(level, (*_SPECIAL, *(f"{byte:02x}" for byte in range(256))))
        counts = Counter(token for text in texts for token in text)
        frequent = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_WORDS]
        return cls(level, (*_SPECIAL, *(token for token, _ in frequent)))

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The number of each token."""
        return [self._numbers.get(token, UNKNOWN) for token in tokens]

    def text(self, numbers: Iterable[int]) -> str:
        """The text of these tokens: exact for bytes, with blanks between words."""
        tokens = [self.tokens[number] for number in numbers if number >= len(_SPECIAL)]
        if self.level == "byte":
            return bytes(int(token, 16) for token in tokens).decode(errors="replace")
        return " ".join(tokens)


def split(text: str, level: Level) -> tuple[str, ...]:
    """The tokens of a text."""
    if level == "byte":
        return tuple(f"{byte:02x}" for byte in text.encode(errors="replace"))
    return tuple(_WORD.findall(text))
