"""Prompts as a policy reads them: text and tokens, the beginning cut where they are too long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Prompt:
    """What is to be answered, as text and as tokens."""

    text: str
    tokens: tuple[int, ...]


def prompts_of(texts: Iterable[str], tokenizer: Any, *, length: int | None = None) -> list[Prompt]:
    """Each text with its tokens; of more than `length` the last are kept."""
    listed = list(texts)
    found = tokenizer(listed, add_special_tokens=True)["input_ids"]
    return [
        Prompt(text, tuple(tokens[-length:] if length else tokens))
        for text, tokens in zip(listed, found, strict=True)
    ]
