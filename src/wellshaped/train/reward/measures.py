"""How good rewards are on pairs: accuracy, margin, calibration, and the pull of length.

Legend: P pairs.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

BINS: Final = 10


def accuracy(margins_P: Tensor) -> float:
    """The share of pairs whose chosen answer has the higher reward; a tie is half a hit."""
    return float(hits(margins_P).mean())


def hits(margins_P: Tensor) -> Tensor:
    """1 where the chosen answer has the higher reward, 0 where the other has, a half for a tie."""
    return (margins_P > 0).float() + 0.5 * (margins_P == 0).float()  # (P,)


def calibration_error(margins_P: Tensor) -> float:
    """How far the certainty of the model is from its accuracy, on average.

    By Bradley and Terry the sigmoid of a margin is the chance that the first answer is preferred.
    Pairs are put into bins by the certainty of the verdict, from a half to one; the differences
    between the mean certainty of a bin and the share of right verdicts in it are averaged.
    """
    certain_P = margins_P.abs().sigmoid()  # (P,)
    bins_P = ((certain_P - 0.5) * 2 * BINS).long().clamp(max=BINS - 1)
    gaps = torch.zeros(BINS).index_add(0, bins_P, hits(margins_P) - certain_P)
    return float(gaps.abs().sum() / len(margins_P))


def length_bias(margins_P: Tensor, longer_P: Tensor) -> float:
    """How much more often the longer answer wins than it should, from -1 to 1.

    `longer_P` is by how many tokens the chosen answer is longer; pairs of one length do not count.
    """
    judged_P = longer_P != 0
    if not judged_P.any():
        return 0.0
    wins_P = torch.where(longer_P > 0, hits(margins_P), 1 - hits(margins_P))[judged_P]
    should_P = (longer_P > 0).float()[judged_P]
    return float((wins_P - should_P).mean())


def length_correlation(margins_P: Tensor, longer_P: Tensor) -> float:
    """How far rewards go with length, from -1 to 1; the order within pairs does not matter."""
    longer_P = longer_P.to(margins_P.dtype)
    size = margins_P.norm() * longer_P.norm()
    return float(margins_P @ longer_P / size) if size > 0 else 0.0


def measures(margins_P: Tensor, longer_P: Tensor) -> dict[str, float]:
    """All of them, by name."""
    return {
        "accuracy": accuracy(margins_P),
        "margin": float(margins_P.mean()),
        "calibration_error": calibration_error(margins_P),
        "length_bias": length_bias(margins_P, longer_P),
        "length_correlation": length_correlation(margins_P, longer_P),
    }
