"""Padding does not matter.

Changed: the batch has more columns of padding, of the same content. Must stay: the loss. Compared:
the loss, and each result at the real positions. Padding is what masks, lengths, trailing tokens or
trailing zeros of the batch tell, on the right side. Broken by: a mean or a maximum over the padded
dimension, BatchNorm over padding, the last position, a loss that counts padding. Not measured where
the step cannot run with a longer batch, or draws random numbers.
"""

import torch

from wellshaped.records.certificate import KeptRelation, Relation
from wellshaped.relations.compare import CERTAIN, difference, first_breaks
from wellshaped.relations.padding_of import MORE, StepPadding, padding_of
from wellshaped.relations.study import NotMeasured, Study
from wellshaped.relations.tape import DRAWS

NAME: Relation = "padding"


def padding_kept(step: Study) -> KeptRelation:
    """Run the step with longer padding."""
    padding = padding_of(step.batch)
    if padding is None:
        raise NotMeasured("no_padding", "does_not_apply")
    told = step.plain.told
    if told.full:
        raise NotMeasured("too_large")
    if told.drew or any(told.entries[each].name in DRAWS for each in step.above):
        raise NotMeasured("draws")
    longer = step.run(lambda _: padding.lengthen())
    step.must_be_like(longer, shapes=False)
    if not step.loss_differs(longer):
        return KeptRelation(NAME, "holds")
    broken = [
        each
        for each in step.above
        if _differs(step.plain.results[each], longer.results[each], padding)
    ]
    inner = [each for each in broken if each not in told.ends] or broken
    return step.broken(NAME, "padding_broken", first_breaks(told.entries, inner, told.ends))


def _differs(plain: torch.Tensor, longer: torch.Tensor, padding: StepPadding) -> bool:
    """Whether a result is another one at the real positions; False where they are not known."""
    if plain.dim() != longer.dim():
        return False
    for axis in reversed(range(plain.dim())):
        more = longer.shape[axis] - plain.shape[axis]
        if more == 0:
            continue
        if more == MORE:
            longer = longer.narrow(axis, 0, plain.shape[axis])
            continue
        rows = len(padding.lengths)
        if more != rows * MORE or plain.shape[axis] % rows:
            return False
        # Rows and positions in one dimension: apart, then the positions as above.
        width = plain.shape[axis] // rows
        longer = longer.unflatten(axis, (rows, width + MORE)).narrow(axis + 1, 0, width)
        longer = longer.flatten(axis, axis + 1)
    one, other = _real(plain, padding), _real(longer, padding)
    return difference(one, other) >= CERTAIN


def _real(tensor: torch.Tensor, padding: StepPadding) -> torch.Tensor:
    """The positions up to the shortest row: real in every row, wherever the rows are."""
    least, rows = min(padding.lengths) - 1, len(padding.lengths)
    for axis in range(tensor.dim()):
        size = tensor.shape[axis]
        if abs(size - padding.width) <= 1 and least > 0:
            tensor = tensor.narrow(axis, 0, least)
        elif size == rows * padding.width and least > 0:
            apart = tensor.unflatten(axis, (rows, padding.width)).narrow(axis + 1, 0, least)
            tensor = apart.flatten(axis, axis + 1)
    return tensor
