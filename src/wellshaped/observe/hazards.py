"""Every question that is asked of the record of a run, by the operation it is asked at."""

from __future__ import annotations

from collections.abc import Mapping

from wellshaped.observe.hazard_activation import LOSSES, wrong_activation
from wellshaped.observe.hazard_broadcast import crossed_rows
from wellshaped.observe.hazard_moved import RESHAPES, moved_axes
from wellshaped.observe.hazard_rows import (
    COMPARISONS,
    class_axis,
    compared_over_rows,
    mixed_rows,
)
from wellshaped.observe.hazard_rows import LOSSES as ROWS_LOSSES
from wellshaped.observe.lineage import Question
from wellshaped.observe.lineage_axes import ELEMENT_WISE

_ASKED: tuple[tuple[Question, tuple[str, ...]], ...] = (
    (crossed_rows, tuple(ELEMENT_WISE)),
    (wrong_activation, LOSSES),
    (moved_axes, RESHAPES),
    (mixed_rows, ROWS_LOSSES),
    (compared_over_rows, COMPARISONS),
    (class_axis, ("cross_entropy", "nll_loss")),
)


def questions() -> Mapping[str, tuple[Question, ...]]:
    """The questions of each operation."""
    found: dict[str, tuple[Question, ...]] = {}
    for question, names in _ASKED:
        for name in names:
            found[name] = (*found.get(name, ()), question)
    return found
