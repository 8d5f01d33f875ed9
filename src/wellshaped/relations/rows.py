"""The rows of a batch are independent of each other.

Changed: the second half of the rows is replaced by copies of the first. Must stay: in each result,
the part that belongs to the first half; and their gradient, but for one factor that all rows share
(the mean of a loss divides by what the batch holds). Norms over the batch use the statistics they
have gathered: that they mix rows is their design. Broken by: a mean or a sum without `dim`, a
softmax over the batch. By design in contrastive losses, whitened advantages, mixup.
"""

import torch

from wellshaped.records.certificate import KeptRelation, Relation
from wellshaped.relations.compare import CERTAIN, Layout, difference, first_breaks, of_rows
from wellshaped.relations.study import NotMeasured, Study
from wellshaped.relations.taking import TapedRun

NAME: Relation = "rows"


def rows_kept(step: Study) -> KeptRelation:
    """Run the step with the other half of its rows replaced."""
    layouts = step.layouts
    entries = step.plain.told.entries
    pairs = [each for each, layout in layouts.items() if layout and len(layout) > 1]
    if pairs:
        return step.broken(NAME, "rows_meet", first_breaks(entries, pairs, step.plain.told.ends))
    rows = step.batch.rows
    half = (rows + 1) // 2
    places = [place if place < half else place - half for place in range(rows)]
    norms = any(each.name == "batch_norm" for each in entries)
    plain = step.run(_nothing, running_statistics=True) if norms else step.plain
    changed = step.run(lambda batch: batch.pick(places), running_statistics=norms)
    for each in (plain, changed):
        step.must_be_like(each, shapes=False)
    broken = [
        each
        for each, layout in layouts.items()
        if layout and _moved(plain, changed, each, layout, half, rows)
    ]
    if broken:
        return step.broken(NAME, "rows_broken", first_breaks(entries, broken, step.plain.told.ends))
    _gradients_must_stay(step, plain, changed, half)
    return KeptRelation(NAME, "holds")


def _nothing(_: object) -> None:
    pass


def _moved(
    plain: TapedRun, changed: TapedRun, number: int, layout: Layout, half: int, rows: int
) -> bool:
    if plain.results[number].shape != changed.results[number].shape:
        return False  # chosen by their content: how many is another thing
    one, other = (
        of_rows(each.results[number], layout, range(half), rows) for each in (plain, changed)
    )
    return difference(one, other) >= CERTAIN


def _gradients_must_stay(step: Study, plain: TapedRun, changed: TapedRun, half: int) -> None:
    """The gradient of a row is its own, but for a factor; else nothing is claimed."""
    number = plain.told.slope
    layout = step.layouts.get(number) if number is not None else None
    if plain.slope is None or changed.slope is None or not layout or number != changed.told.slope:
        raise NotMeasured("no_slope")
    if plain.slope.shape != changed.slope.shape:
        raise NotMeasured("no_slope")
    one, other = (
        of_rows(each, layout, range(half), step.batch.rows).double().flatten()
        for each in (plain.slope, changed.slope)
    )
    size = float(other @ other)
    if size == 0.0 or not bool(torch.isfinite(one).all() and torch.isfinite(other).all()):
        raise NotMeasured("no_slope")
    if difference(one, other * (float(one @ other) / size)) >= CERTAIN:
        raise NotMeasured("rows_by_loss")
