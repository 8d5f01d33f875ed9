"""Every question that is asked of the record of a run, by the operation it is asked at."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from wellshaped.execute.loaders import Loaders
from wellshaped.observe.grown import noted_growth
from wellshaped.observe.hazard_activation import LOSSES, wrong_activation
from wellshaped.observe.hazard_broadcast import LAID, crossed_rows
from wellshaped.observe.hazard_counted import NOTES, SUMS, Counted, noted_end
from wellshaped.observe.hazard_last import last_places_followed
from wellshaped.observe.hazard_moved import RESHAPES, moved_axes
from wellshaped.observe.hazard_padding import (
    CLASS_LOSSES,
    DROPPING,
    MASKING,
    POOLING,
    dropped_token,
    loss_over_padding,
    masked_token,
    packed_by_lengths,
    padded_tokens,
    pooled_padding,
)
from wellshaped.observe.hazard_put import puts_followed
from wellshaped.observe.hazard_rows import (
    COMPARISONS,
    class_axis,
    compared_over_rows,
    mixed_rows,
)
from wellshaped.observe.hazard_rows import LOSSES as ROWS_LOSSES
from wellshaped.observe.hazard_same import (
    DIFFERENCES,
    compared_with_itself,
    noted_nothing,
    ratio_with_itself,
)
from wellshaped.observe.hazard_shift import DIFFERENCES as SUBTRACTED
from wellshaped.observe.hazard_shift import (
    LOOKUPS,
    compared,
    looked_up,
    trained_on,
    weighted_by_one_hot,
)
from wellshaped.observe.hazard_threshold import COMPARISONS as THRESHOLDS
from wellshaped.observe.hazard_threshold import half_of_scores, trained_as_logits
from wellshaped.observe.hazard_untrained import training_followed
from wellshaped.observe.hazard_whitening import MASKING as WHITENED
from wellshaped.observe.hazard_whitening import SCALES, noted_scale, whitened_with_padding
from wellshaped.observe.heads import SPLITS, noted_split
from wellshaped.observe.trace.axes import ELEMENT_WISE
from wellshaped.observe.trace.broadcasts import BROADCASTING, broadcast_here
from wellshaped.observe.trace.gradients import Noted
from wellshaped.observe.trace.lineage import Lineage, Question, traced
from wellshaped.observe.trace.probe.model import probed
from wellshaped.observe.trace.token_dependence import noted_reading

_ASKED: tuple[tuple[Question, tuple[str, ...]], ...] = (
    (crossed_rows, (*ELEMENT_WISE, LAID)),
    (noted_growth, tuple(ELEMENT_WISE)),
    (noted_split, SPLITS),
    (wrong_activation, LOSSES),
    (moved_axes, RESHAPES),
    (mixed_rows, ROWS_LOSSES),
    (compared_over_rows, COMPARISONS),
    (class_axis, CLASS_LOSSES),
    (trained_as_logits, ("binary_cross_entropy_with_logits",)),
    (half_of_scores, THRESHOLDS),
    (packed_by_lengths, ("_pack_padded_sequence",)),
    (masked_token, MASKING),
    (dropped_token, DROPPING),
    (padded_tokens, ("embedding",)),
    (pooled_padding, POOLING),
    (loss_over_padding, CLASS_LOSSES),
    (compared_with_itself, DIFFERENCES),
    (noted_nothing, SUBTRACTED),
    (ratio_with_itself, ("exp",)),
    (noted_reading, ("embedding",)),
    (looked_up, LOOKUPS),
    (weighted_by_one_hot, ("mul",)),
    (trained_on, CLASS_LOSSES),
    (compared, SUBTRACTED),
    (noted_end, NOTES),
    (noted_scale, SCALES),
    (whitened_with_padding, WHITENED),
)


@contextlib.contextmanager
def hazards_seen(
    loaders: Loaders | None = None, gradients: Noted | None = None, *, broadcasts: bool = False
) -> Iterator[Lineage]:
    """Follow every tensor inside the block, and ask every question; `observations` answers.

    What keeps parameters from being trained is asked where gradients are noted; `broadcasts` are
    listed where that is asked for.
    """
    asked = (*_ASKED, (Counted().ask, SUMS))
    asked = (*asked, (broadcast_here, BROADCASTING)) if broadcasts else asked
    nothing = contextlib.nullcontext()
    with (
        traced(_by_operation(asked), loaders) as trace,
        probed(trace),
        last_places_followed(trace),
        puts_followed(trace),
        nothing if gradients is None else training_followed(trace, gradients),
    ):
        yield trace


def _by_operation(
    asked: tuple[tuple[Question, tuple[str, ...]], ...],
) -> Mapping[str, tuple[Question, ...]]:
    """The questions of each operation."""
    found: dict[str, tuple[Question, ...]] = {}
    for question, names in asked:
        for name in names:
            found[name] = (*found.get(name, ()), question)
    return found
