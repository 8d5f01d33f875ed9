"""The order of the rows does not matter.

Changed: the rows of the batch stand in another order, in every tensor that has them. Must stay: the
loss. Compared: the loss, and each result the loss is made of, whose rows must have moved as those
of the batch did. Broken by: positions along the batch, pairs and groups that cross (`repeat` for
`repeat_interleave`), views that mix rows, layers that read rows as time. Does not apply where the
step itself draws which rows meet. By design where the batch is one sequence or one graph.
"""

from wellshaped.records.certificate import KeptRelation, Relation
from wellshaped.relations.compare import first_breaks
from wellshaped.relations.study import Study

NAME: Relation = "order"


def order_kept(step: Study) -> KeptRelation:
    """Run the step with its rows in another order."""
    if not step.loss_differs(step.permuted):
        return KeptRelation(NAME, "holds")
    broken = [each for each, layout in step.layouts.items() if layout is None]
    ends = step.plain.told.ends
    inner = [each for each in broken if each not in ends] or broken
    at = first_breaks(step.plain.told.entries, inner, ends)
    return step.broken(NAME, "order_broken", at)
