"""Everything trains.

Changed: nothing. Must stay: that a gradient, and then an optimizer, can reach what takes part in
the step. Broken by: a softmax over a dimension of size 1, whose result is 1 whatever it is given,
so that everything before it gets a gradient of exactly 0; modules in a plain list, whose parameters
take part and are given to no optimizer. What is frozen, or left out of an optimizer by itself, may
be meant so and is no part of this.
"""

import torch

from wellshaped.records.certificate import KeptRelation, Relation
from wellshaped.records.phrase import phrase
from wellshaped.relations.study import NotMeasured, Study

NAME: Relation = "training"
_SOFTMAX = ("softmax", "log_softmax", "_softmax", "_log_softmax")


def training_kept(step: Study) -> KeptRelation:
    """Look at the tape of the step as it is."""
    told = step.plain.told
    dead = [each for each in step.above if _is_constant(step, each)]
    if dead:
        return step.broken(NAME, "softmax_of_one", dead)
    if told.idle:
        return KeptRelation(NAME, "broken", phrase("left_out", name=told.idle[0]))
    if told.full or told.slope is None:
        raise NotMeasured("too_large" if told.full else "no_slope")
    return KeptRelation(NAME, "holds")


def _is_constant(step: Study, number: int) -> bool:
    """Whether a softmax that learns gives the same whatever comes: it has one entry to share."""
    entry, result = step.plain.told.entries[number], step.plain.results[number]
    if entry.name not in _SOFTMAX or not entry.learned or not result.numel():
        return False
    value = 0.0 if "log" in entry.name else 1.0
    return bool(torch.all(result == value)) and 1 in result.shape
