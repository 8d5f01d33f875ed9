"""The English of a certificate: the relations, how they stand, and why."""

from __future__ import annotations

from typing import Final

CERTIFICATE: Final[dict[str, str]] = {
    "certificate": "certificate of a training step with {rows} rows:",
    "certificate_unknown": "certificate of a training step:",
    "relation_rows": "rows are independent",
    "relation_order": "the order of the rows does not matter",
    "relation_padding": "padding does not matter",
    "relation_training": "everything trains",
    "relation_holds": "{relation}: holds",
    "relation_broken": "{relation}: broken at {where}: {reason}",
    "relation_broken_somewhere": "{relation}: broken: {reason}",
    "relation_by_design": "{relation}: broken by design at {where}: {reason}",
    "relation_does_not_apply": "{relation}: does not apply: {reason}",
    "relation_not_measured": "{relation}: not measured: {reason}",
    # How a relation is broken.
    "rows_meet": "`{operation}` compares rows of the batch with each other",
    "rows_broken": "with other rows beside it, a row gets another result of `{operation}`",
    "order_broken": "with the rows in another order, `{operation}` gives other results",
    "padding_broken": "with more padding, `{operation}` gives other results at real positions",
    "softmax_of_one": "`{operation}` runs over a dimension of size 1: the result is constant, and "
    "the gradient before it is 0",
    "left_out": "the modules in `{name}` are held by a plain list or dict: no optimizer has their "
    "parameters",
    # Why nothing is claimed.
    "no_step": "no call of `backward()` was reached",
    "one_step": "no batch of a second training step was found",
    "no_time": "the budget ended, or the process did",
    "no_weights": "the model is checked without its weights",
    "one_row": "the batch has one row",
    "too_large": "the step has too many operations or elements to compare",
    "draws": "the step draws random numbers that choose rows, or that cannot be repeated",
    "other_rows": "a tensor that may have a row for each row of the batch enters the step later",
    "other_path": "the step computes other operations when the batch changes",
    "changed_stops": "the step does not run to its end when the batch changes",
    "noise": "the loss changes by no more than rounding could explain",
    "no_place": "the loss changes, and no operation could be named that changes it",
    "no_slope": "no gradient could be compared",
    "no_comparison": "the results could not be compared",
    "rows_by_loss": "the gradient of a row depends on the others, which a loss over pairs or "
    "statistics of the batch does by design",
    "no_padding": "no padding on the right was recognized in the batch",
}
