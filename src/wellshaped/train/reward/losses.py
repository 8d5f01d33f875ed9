"""What preferences cost: a sum over pairs, and what to divide it by, so that parts add up.

Legend: P pairs, N texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from wellshaped.records.phrase import UserError

LOSSES: Final = ("bradley_terry", "margin_ranking")


@dataclass(frozen=True, slots=True)
class Preference:
    """How a pair is judged.

    `margin` is the lead that each chosen answer is to have; `smoothing` the share of labels taken
    as swapped; `centring` the price of rewards whose sum is not 0.
    """

    loss: str = "bradley_terry"
    margin: float = 0.0
    smoothing: float = 0.0
    centring: float = 0.0

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            known = ", ".join(LOSSES)
            raise UserError("WS988", "setting_choice", name="loss", known=known, got=self.loss)


@dataclass(frozen=True, slots=True)
class LossSum:
    """The loss of some pairs, summed, and the sum of their weights.

    The loss of a batch is the quotient of both sums over all its parts and processes.
    """

    total: Tensor
    weight: Tensor

    @property
    def mean(self) -> Tensor:
        """The loss, if these are all pairs there are."""
        return self.total / self.weight


def paired(rewards_N: Tensor, sizes: Sequence[int]) -> tuple[Tensor, Tensor]:
    """The rewards of each pair: the first text of a group is preferred to each other one.

    `sizes` says how many texts each group has; a group of three is two pairs.
    """
    chosen: list[int] = []
    rejected: list[int] = []
    start = 0
    for size in sizes:
        chosen += [start] * (size - 1)
        rejected += range(start + 1, start + size)
        start += size
    device = rewards_N.device
    return (
        rewards_N.index_select(0, torch.tensor(chosen, device=device)),  # (P,)
        rewards_N.index_select(0, torch.tensor(rejected, device=device)),  # (P,)
    )


def preference_loss(
    chosen_P: Tensor,
    rejected_P: Tensor,
    preference: Preference | None = None,
    *,
    margin_P: Tensor | None = None,
    weight_P: Tensor | None = None,
) -> LossSum:
    """The loss of pairs, in float32; `margin_P` adds to the margin, a pair counts `weight_P`."""
    preference = preference or Preference()
    _one_for_each_pair(chosen=chosen_P, rejected=rejected_P, margin=margin_P, weight=weight_P)
    chosen_P, rejected_P = chosen_P.float(), rejected_P.float()
    weight_P = torch.ones_like(chosen_P) if weight_P is None else weight_P.to(chosen_P)
    margins_P = torch.full_like(chosen_P, preference.margin)
    if margin_P is not None:
        margins_P = margins_P + margin_P.to(chosen_P)
    with torch.autocast(chosen_P.device.type, enabled=False):
        judge = {"bradley_terry": _bradley_terry, "margin_ranking": _margin_ranking}
        losses_P = judge[preference.loss](chosen_P, rejected_P, margins_P, preference.smoothing)
        if preference.centring:
            sums_P = chosen_P + rejected_P
            centred_P = F.mse_loss(sums_P, torch.zeros_like(sums_P), reduction="none")
            losses_P = losses_P + preference.centring * centred_P
        return LossSum((losses_P * weight_P).sum(), weight_P.sum())


def _one_for_each_pair(**given: Tensor | None) -> None:
    """Refuse what is not one number for each pair: a column against a vector is all pairs."""
    shapes = {name: tuple(tensor.shape) for name, tensor in given.items() if tensor is not None}
    wanted = shapes["chosen"][:1] or (1,)
    for name, shape in shapes.items():
        if shape != wanted:
            facts = {"argument": name, "task": "preference", "got": shape, "wanted": wanted}
            raise UserError("WS924", "task_shape", **facts)


def _bradley_terry(
    chosen_P: Tensor, rejected_P: Tensor, margins_P: Tensor, smoothing: float
) -> Tensor:
    """-log sigmoid of the lead: the cross entropy of a logit, which no lead makes infinite."""
    lead_P = chosen_P - rejected_P - margins_P
    certain_P = torch.full_like(lead_P, 1 - smoothing)
    return F.binary_cross_entropy_with_logits(lead_P, certain_P, reduction="none")  # (P,)


def _margin_ranking(
    chosen_P: Tensor, rejected_P: Tensor, margins_P: Tensor, smoothing: float
) -> Tensor:
    """What is missing from the lead; a share of the labels counts the other way round."""
    first_P = torch.ones_like(chosen_P)
    kept_P = F.margin_ranking_loss(chosen_P - margins_P, rejected_P, first_P, reduction="none")
    if not smoothing:
        return kept_P
    swapped_P = F.margin_ranking_loss(chosen_P + margins_P, rejected_P, -first_P, reduction="none")
    return (1 - smoothing) * kept_P + smoothing * swapped_P
