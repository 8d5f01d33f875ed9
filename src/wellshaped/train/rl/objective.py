"""The loss of some responses by the method of a run, as sums, with the numbers that are shown.

B responses, R their tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from wellshaped.train.rl.experience import Experience
from wellshaped.train.rl.masked import masked_sum
from wellshaped.train.rl.policy import PolicyOutput
from wellshaped.train.rollout_algorithm import RolloutAlgorithm


@dataclass(frozen=True)
class Counts:
    """How many responses, tokens and values an optimizer step has, on all processes."""

    responses: int
    tokens: int
    values: int

    @classmethod
    def of(cls, experience: Experience, rows: list[int]) -> Counts:
        """Those of some responses."""
        index_B = torch.tensor(rows)
        tokens = int(experience.batch.mask_BR[index_B].sum())
        return cls(len(rows), tokens, int(experience.batch.value_mask_BR[index_B].sum()))


def objective(
    output: PolicyOutput, part: Experience, counts: Counts, settings: RolloutAlgorithm
) -> tuple[Tensor, dict[str, Tensor]]:
    """What is minimised, and its parts: shares of the means over the whole optimizer step."""
    loss, shown = settings.loss(output, part, counts)
    if output.entropy_BR is not None:
        entropy = masked_sum(output.entropy_BR, part.batch.mask_BR) / counts.tokens  # ()
        shown["entropy"] = entropy
        if settings.entropy_coefficient:
            loss = loss - settings.entropy_coefficient * entropy  # ()
    return loss, {name: value.detach() for name, value in shown.items()}
