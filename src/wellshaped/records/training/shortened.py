"""What a limit of length took from preference data, for the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortened:
    """How many rows lost something to the length, of how many, and where.

    `prompts` lost their beginning, `answers` what stands before their end; `full` prompts leave
    no room for an answer. Of these the first are listed by file and line.
    """

    length: int
    rows: int
    prompts: int
    answers: int
    full: int
    first_full: tuple[tuple[str, int], ...] = ()
    first_answers: tuple[tuple[str, int], ...] = ()
