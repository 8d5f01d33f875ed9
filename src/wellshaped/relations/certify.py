"""Measures every relation on a step, and makes its certificate."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.records.certificate import Certificate, KeptRelation, Relation
from wellshaped.records.phrase import phrase
from wellshaped.relations.batch import StepBatch
from wellshaped.relations.by_design import is_by_design
from wellshaped.relations.order import order_kept
from wellshaped.relations.padded import padding_kept
from wellshaped.relations.rows import rows_kept
from wellshaped.relations.study import Measure, NotMeasured, Study
from wellshaped.relations.taking import Runner
from wellshaped.relations.training import training_kept

# In the order in which they are shown.
RELATIONS: dict[Relation, Measure] = {
    "rows": rows_kept,
    "order": order_kept,
    "padding": padding_kept,
    "training": training_kept,
}
# What tells that this batch, or this reading of it, is not the one that the step is made of.
_NOT_THIS_ONE = frozenset(("another_batch", "no_loss", "stopped"))


class Certifier:
    """Studies readings of a step until one is right; `certificate` is that of the best.

    Where the order of the rows seems to matter, the rows may be along another dimension.
    """

    def __init__(self) -> None:
        self.certificate: Certificate | None = None

    def study(self, batch: StepBatch, runner: Runner) -> bool:
        """Measure a reading of the step; whether another one should be tried."""
        plain = runner(lambda _: None, places=True)
        if plain.told.stopped in _NOT_THIS_ONE or not plain.told.met:
            return True
        step = Study(batch, runner, plain)
        found = Certificate(tuple(_measured(*each, step) for each in RELATIONS.items()), batch.rows)
        ordered = found.of("order")
        assert ordered is not None
        if self.certificate is None or ordered.standing == "holds":
            self.certificate = found
        return batch.guessed and ordered.standing != "holds"


def unknown(reason: str) -> Certificate:
    """The certificate of a step that could not be taken."""
    return Certificate(
        tuple(KeptRelation(each, "not_measured", phrase(reason)) for each in RELATIONS)
    )


def _measured(name: Relation, measure: Measure, step: Study) -> KeptRelation:
    try:
        found = measure(step)
    except NotMeasured as reason:
        return KeptRelation(name, reason.standing, phrase(reason.reason))
    except (ArithmeticError, LookupError, ValueError, TypeError, RuntimeError):
        return KeptRelation(name, "not_measured", phrase("no_comparison"))
    return replace(found, by_design=is_by_design(found))
