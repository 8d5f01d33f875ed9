"""What the axes of a tensor become when its elements are cut up anew, in memory order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from wellshaped.observe.trace.node import Atom, Axis, size_of

Group = tuple[tuple[int, ...], tuple[int, ...]]


def reshaped(axes: tuple[Axis, ...], shape: tuple[int, ...]) -> tuple[Axis, ...]:
    """The axes after `view(shape)`: kept, merged or cut where memory order allows, else made."""
    found: list[Axis] = []
    for before, after in groups(tuple(map(size_of, axes)), shape):
        atoms = [atom for place in before for atom in axes[place]]
        found += _recut(atoms, [shape[place] for place in after])
    return tuple(found)


def _recut(atoms: list[Atom], sizes: list[int]) -> Iterator[Axis]:
    """Atoms dealt out to axes of these sizes, in order; new ones where they do not fit."""
    left = [atom for atom in atoms if atom.size != 1]
    spare = [atom for atom in atoms if atom.size == 1]
    for size in sizes:
        taken: list[Atom] = []
        if size == 1:
            yield ((spare.pop(0) if spare else Atom(1, "added")),)
            continue
        while left and prod(atom.size for atom in taken) * left[0].size <= size:
            taken.append(left.pop(0))
            if prod(atom.size for atom in taken) == size:
                break
        total = prod(atom.size for atom in taken)
        if total == size:
            yield tuple(taken)
        elif left and size % total == 0 and left[0].size % (size // total) == 0:
            atom = left.pop(0)
            inner = size // total
            left.insert(0, atom.part(atom.size // inner))
            yield (*taken, atom.part(inner))
        else:
            left = []
            yield (Atom(size, "made"),)


def groups(before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Group]:
    """The smallest runs of axes that hold the same elements before and after."""
    i = j = 0
    while i < len(before) or j < len(after):
        one, other = i, j
        a = b = 1
        while True:
            if a == b and (i > one or j > other):
                break
            if a <= b and i < len(before):
                a *= before[i]
                i += 1
            elif j < len(after):
                b *= after[j]
                j += 1
            elif i < len(before):
                a *= before[i]
                i += 1
            else:
                break
        yield tuple(range(one, i)), tuple(range(other, j))


@dataclass(frozen=True, slots=True)
class Move:
    """A reshape that reads as axes moved: `order` is the permutation that was meant.

    Merged: the axes are moved, then reshaped as written. Cut: they are reshaped to `between`
    first and then moved. Plain: moving them is all.
    """

    how: str
    order: tuple[int, ...]
    between: tuple[int, ...] = ()


def moved(before: tuple[int, ...], after: tuple[int, ...]) -> Move | None:
    """The move a reshape stands for; None where memory order explains its sizes."""
    runs = list(groups(before, after))
    crossed = [run for run in runs if _crosses(run, before, after)]
    if not crossed:
        return None
    merged = [_dealt(mine, before, theirs, after) for mine, theirs in runs]
    if all(each is not None for each in merged):
        order = tuple(place for each in merged if each for chosen in each for place in chosen)
        order += tuple(place for place in range(len(before)) if place not in order)
        plain = tuple(before[place] for place in order) == after
        return Move("plain" if plain else "merged", order)
    cut = [_dealt(theirs, after, mine, before) for mine, theirs in runs]
    if all(each is not None for each in cut) and _distinct(crossed, before, after):
        # The order in which the new axes lie in memory once each old one is cut in place.
        lying = [place for each in cut if each for chosen in each for place in chosen]
        lying += [place for place in range(len(after)) if place not in lying]
        order = tuple(lying.index(place) for place in range(len(after)))
        return Move("cut", order, tuple(after[place] for place in lying))
    return None


def _crosses(run: Group, before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether no axis border of a run stays where it was."""
    mine, theirs = run
    wide = (
        sum(before[place] != 1 for place in mine),
        sum(after[place] != 1 for place in theirs),
    )
    return min(wide) > 1


def _distinct(runs: list[Group], before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether in every run an axis is told by its size, before and after, and by nothing else."""
    for mine, theirs in runs:
        old, new = [before[place] for place in mine], [after[place] for place in theirs]
        if not any(old.count(size) == new.count(size) == 1 for size in new if size != 1):
            return False
    return True


def _dealt(
    mine: tuple[int, ...], before: tuple[int, ...], theirs: tuple[int, ...], after: tuple[int, ...]
) -> list[tuple[int, ...]] | None:
    """The axes of one side dealt out so that each axis of the other is a product of them."""
    wide = [place for place in mine if before[place] != 1]
    sizes = [after[place] for place in theirs]
    if len(wide) == 1 and sum(size != 1 for size in sizes) > 1:
        return [tuple(wide)]  # cut where it stands
    return _cover(wide, before, sizes)


def _cover(
    inner: list[int], before: tuple[int, ...], sizes: list[int]
) -> list[tuple[int, ...]] | None:
    if not sizes:
        return [] if not inner else None
    size, rest = sizes[0], sizes[1:]
    if size == 1:
        further = _cover(inner, before, rest)
        return None if further is None else [(), *further]
    for count in range(1, len(inner) + 1):
        for chosen in combinations(inner, count):
            if prod(before[place] for place in chosen) == size:
                left = [place for place in inner if place not in chosen]
                further = _cover(left, before, rest)
                if further is not None:
                    return [chosen, *further]
    return None
