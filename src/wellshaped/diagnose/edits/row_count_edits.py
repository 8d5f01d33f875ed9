"""Tensors made with a fixed number of rows, and the edits that take the number from the batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wellshaped.records.finding import Finding
from wellshaped.records.observation import HardcodedRows, Observation, Operand, Origin
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage

Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Recount:
    """A number of rows that comes from a name, and the tensor that has the rows that are there.

    `shapes` are the operands as they would be; those made with the number have the other one.
    """

    birth: Origin
    count: HardcodedRows
    beside: str
    rows: int
    shapes: Shapes

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The number of rows as that of the tensor, wherever the name makes a tensor.

        Of one that is made before a loop, as many rows as there are, wherever it is used.
        """
        text = f"{self.beside}.size(0)"
        return tuple(
            Edit(each.place.file, each.span, f"{each.text}[:{text}]" if self.count.ahead else text)
            for each in self.count.places
            if each.span
        )


def recounted(
    observation: Observation, fits: Callable[[Shapes], bool | None]
) -> tuple[Recount, ...]:
    """The fixed numbers of rows that are to blame: with those of a tensor beside them it fits."""
    found: dict[tuple[Passage, str], Recount] = {}
    for each in _recounts(observation):
        if (key := (each.count.places[0], each.beside)) not in found and fits(each.shapes):
            found[key] = each
    return tuple(found.values())


def _recounts(observation: Observation) -> Iterator[Recount]:
    for operand in observation.operands:
        for birth, count in _counts(operand):
            for name, rows in count.beside if count.value > 1 else ():
                fewer = rows < count.value or not count.ahead
                for axes in (1, None) if fewer and rows != count.value else ():
                    shapes = {
                        each.role: _shape(each, count, rows, axes) for each in observation.operands
                    }
                    yield Recount(birth, count, name, rows, shapes)


def _counts(operand: Operand) -> Iterator[tuple[Origin, HardcodedRows]]:
    """The numbers that may have given an operand its rows, or a multiple of them."""
    for birth in operand.origins:
        for count in birth.counts:
            if any(size and size % count.value == 0 for size in operand.shape):
                yield birth, count


def _shape(operand: Operand, count: HardcodedRows, rows: int, axes: int | None) -> tuple[int, ...]:
    """An operand's shape with the other number of rows, on its first axis or on every one."""
    held = [each for _, each in _counts(operand)]
    if not any(set(each.places) & set(count.places) for each in held):
        return operand.shape
    times = [(size, *divmod(size, count.value)) for size in operand.shape]
    sizes = tuple(size if rest else whole * rows for size, whole, rest in times)
    return sizes if axes is None else (*sizes[:axes], *operand.shape[axes:])


def counted_finding(code: str, name: str, observation: Observation, found: Recount) -> Finding:
    """A call that got a tensor with a fixed number of rows, as the variant `counted` of a rule."""
    blamed = (each.role for each in observation.operands if found.shapes[each.role] != each.shape)
    return Finding(
        code,
        name,
        "error",
        observation,
        "counted",
        {
            "label": observation.label,
            "made": found.birth.passage.text,
            "count": found.count.value,
            "beside": found.beside,
            "rows": found.rows,
        },
        tuple(blamed),
        origin=found.birth.passage,
    )


def counted_repairs(found: tuple[Recount, ...]) -> tuple[Repair, ...]:
    """The number of rows taken from each tensor that has the rows at hand."""
    return tuple(
        Repair("ahead" if each.count.ahead else "counted", {"beside": each.beside}, (), each.edits)
        for each in found
    )
