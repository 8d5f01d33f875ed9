"""Where a tensor comes from: the operation that made it, its parents, and what its axes are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

# rows: the leading axis of data, or the batch axis of a loader. data: another axis of data.
# fixed: an axis of a parameter. made: an axis a layer made. added: by unsqueeze, None, keepdim.
Origin = Literal["rows", "data", "fixed", "made", "added"]
DEEPEST = 3000


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """An axis that has not been cut or merged; two atoms are the same axis if they are one object.

    `whole` is the atom it was cut from, and `start` the place there where it begins, if that is
    known; `batch` tells that a loader gave it as its batch axis; `lengths` are the numbers of real
    places of each row, where the rest is padding.
    """

    size: int
    origin: Origin
    whole: Atom | None = None
    batch: bool = False
    lengths: tuple[int, ...] = ()
    start: int | None = None

    def part(self, size: int, start: int | None = None) -> Atom:
        """An axis cut from this one."""
        return Atom(size, self.origin, self, self.batch, start=start)


# What an axis is made of, outermost first: several atoms where axes were merged.
Axis = tuple[Atom, ...]


class Node:
    """One tensor of the program."""

    __slots__ = (
        "axes", "born", "depth", "grad", "is_data", "learned", "name", "options", "parents",
        "shape", "site", "stop", "traits",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        shape: tuple[int, ...],
        axes: tuple[Axis, ...],
        parents: tuple[Node, ...] = (),
        **more: Any,
    ):
        self.name, self.shape, self.axes = name, shape, axes
        self.born: int = 0
        self.depth: int = 1 + max((each.depth for each in parents), default=0)
        self.parents = parents if self.depth < DEEPEST else ()
        self.learned: bool = more.get("learned", any(each.learned for each in parents))
        self.is_data: bool = more.get("is_data", any(each.is_data for each in parents))
        self.grad: bool = more.get("grad", False)
        self.options: dict[str, Any] = more.get("options", {})
        self.site: Any = more.get("site")
        self.stop: Any = None
        self.traits: frozenset[str] = more.get("traits", frozenset())

    def ancestors(self) -> Iterator[Node]:
        """This node and all it descends from, the nearest first."""
        seen: set[int] = set()
        level = [self]
        while level:
            fresh = [each for each in level if id(each) not in seen]
            seen.update(map(id, fresh))
            yield from dict.fromkeys(fresh)
            level = [parent for each in dict.fromkeys(fresh) for parent in each.parents]


def same_rows(one: Axis, other: Axis) -> bool:
    """Whether two axes count the same rows: one axis, or leading axes of data of one size."""
    if len(one) != 1 or len(other) != 1:
        return one == other and bool(one)
    a, b = one[0], other[0]
    if a is b:
        return True
    return a.size == b.size and a.origin == b.origin == "rows" and a.batch == b.batch


def fresh_axes(shape: tuple[int, ...], origin: Origin) -> tuple[Axis, ...]:
    """New axes for a tensor that comes from nowhere; the leading one of data counts its rows."""
    rest: Origin = "data" if origin == "rows" else origin
    return tuple(((Atom(size, rest if place else origin),)) for place, size in enumerate(shape))


def placed(atom: Atom) -> tuple[Atom, int]:
    """The axis an atom was cut from, as far up as its place there is known, and that place."""
    place = 0
    while atom.whole is not None and atom.start is not None:
        place += atom.start
        atom = atom.whole
    return atom, place


def size_of(axis: Axis) -> int:
    """The number of places of an axis."""
    total = 1
    for atom in axis:
        total *= atom.size
    return total
