"""Tells where rows are laid at right angles on rows: broadcasts between different ranks."""

from __future__ import annotations

from collections.abc import Callable

from wellshaped.observe.trace.node import Axis, Node, same_rows, size_of


def counts_same_rows(one: Axis, other: Axis) -> bool:
    """Whether two axes count the same rows, all of them or a batch of them."""
    if same_rows(one, other) or _part_of_rows(one, other) or _part_of_rows(other, one):
        return True
    return _merged_rows(one, other) or _merged_rows(other, one)


def crossing(
    tall: Node, flat: Node, same: Callable[[Axis, Axis], bool] = counts_same_rows
) -> tuple[int, int] | None:
    """The axis of `tall` that counts what one of `flat` does, and the one that was laid on: an
    axis of size 1 further right, for `flat` has fewer axes."""
    gap = len(tall.shape) - len(flat.shape)
    for place, axis in enumerate(flat.axes):
        stretched = place + gap
        if flat.shape[place] == 1 or tall.shape[stretched] != 1:
            continue
        for mine in reversed(range(stretched)):
            lacking = mine < gap or flat.shape[mine - gap] in (1, tall.shape[mine])
            if lacking and tall.shape[mine] != 1 and same(tall.axes[mine], axis):
                return mine, stretched
    return None


def _merged_rows(one: Axis, other: Axis) -> bool:
    """Whether rows meet as many steps of several runs, laid one after the other."""
    rows = len(one) == 1 and one[0].origin == "rows"
    steps = len(other) > 1 and all(each.origin in ("rows", "data") for each in other)
    return rows and steps and size_of(one) == size_of(other)


def _part_of_rows(one: Axis, other: Axis) -> bool:
    """Whether one axis is a batch cut from the other: a whole data set met one of its batches."""
    if len(one) != 1 or len(other) != 1:
        return False
    atom, whole = one[0].whole, other[0]
    while atom is not None:
        if atom is whole or (atom.size == whole.size and whole.origin == atom.origin == "rows"):
            return True
        atom = atom.whole
    return False
