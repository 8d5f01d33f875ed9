"""Texts that a policy wrote, as they are shown beside the numbers of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """A prompt, what the policy answered, its score, and its KL to the reference."""

    prompt: str
    response: str
    score: float
    kl: float


@dataclass(frozen=True, slots=True)
class Samples:
    """Some of the texts of one evaluation."""

    step: int
    samples: tuple[Sample, ...]
