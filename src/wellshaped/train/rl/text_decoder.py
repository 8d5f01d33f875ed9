"""What policy learning needs of a tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wellshaped.records.phrase import UserError


@dataclass(frozen=True)
class TextDecoder:
    """What a learner needs of a tokenizer: the token that ends a response, and its text."""

    end: int
    decode: Callable[[Sequence[int]], str]

    @classmethod
    def of(cls, tokenizer: Any) -> TextDecoder:
        """Those of a tokenizer of `transformers`."""
        if tokenizer.eos_token_id is None:
            raise UserError("WS999", "no_end_token")
        return cls(
            tokenizer.eos_token_id,
            lambda tokens: str(tokenizer.decode(list(tokens), skip_special_tokens=True)),
        )
