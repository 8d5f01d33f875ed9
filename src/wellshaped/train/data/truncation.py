"""Makes sequences fit a length: prompts lose their beginning, answers and ends are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """What the model reads of one side: tokens that are never cut, around a body."""

    lead: Sequence[int]
    body: Sequence[int]
    end: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cut:
    """What was lost to the length: tokens of the prompt and of the answers.

    A prompt is full if it leaves no room for any answer.
    """

    prompt: int = 0
    answers: int = 0
    full: bool = False


def fit(sides: Sequence[Side], *, prompt: int, length: int) -> tuple[list[tuple[int, ...]], Cut]:
    """All sides in `length` tokens each; the first `prompt` tokens of their bodies are shared.

    Every side loses the same beginning, so what was shared stays shared. An answer that is longer
    than all the room there is loses what stands before its end.
    """
    room = length - max(len(side.lead) + len(side.end) for side in sides)
    longest = max(len(side.body) for side in sides)
    cut = min(prompt, max(0, longest - room))
    bodies = [side.body[cut:][:room] for side in sides]
    lost = sum(len(side.body) - cut - len(body) for side, body in zip(sides, bodies, strict=True))
    made = [(*side.lead, *body, *side.end) for side, body in zip(sides, bodies, strict=True)]
    return made, Cut(cut, lost, prompt >= room)
