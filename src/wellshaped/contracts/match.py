"""Unifies shapes with an arrangement of the notation, and names what does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wellshaped.contracts.notation import Term, parse_arrangement
from wellshaped.records.phrase import Phrase
from wellshaped.records.shape import shape_text
from wellshaped.records.verdict import Blame

Shape = tuple[int, ...]
_REASONS = {
    "missing": "is missing",
    "shape": "is {got} where {wanted} is needed",
    "size": "has size {got} where {wanted} is needed",
    "into": "has size {got} where {wanted} or 1 is needed",
    "count": "has {got} axes, {wanted} are needed",
}


@dataclass(slots=True)
class _Bindings:
    sizes: dict[str, int] = field(default_factory=dict)
    runs: dict[str, Shape] = field(default_factory=dict)

    def expected(self, axes: Sequence[str]) -> Shape | None:
        """The shape these axes stand for, if every one of them is known."""
        shape: list[int] = []
        for axis in axes:
            if axis == "1":
                shape.append(1)
            elif axis.startswith("*"):
                if axis not in self.runs:
                    return None
                shape.extend(self.runs[axis])
            elif axis in self.sizes:
                shape.append(self.sizes[axis])
            else:
                return None
        return tuple(shape)


def first_conflict(arrangement: str, shapes: Mapping[str, Shape | None]) -> Blame | None:
    """The first argument that cannot be read as the arrangement says; None when all can."""
    bindings = _Bindings()
    for term in parse_arrangement(arrangement):
        shape = shapes.get(term.argument)
        if shape is None:
            if not term.optional:
                return _blame("missing", term.argument, None)
            continue
        blame = _bind(term, shape, bindings)
        if blame is not None:
            return blame
    return None


def best_conflict(arrangements: Sequence[str], shapes: Mapping[str, Shape | None]) -> Blame | None:
    """The conflict with the arrangement that comes furthest; None when one of them fits."""
    furthest: tuple[tuple[int, int], Blame] | None = None
    for line in arrangements:
        blame = first_conflict(line, shapes)
        if blame is None:
            return None
        reach = _progress(line, blame)
        if furthest is None or reach > furthest[0]:
            furthest = reach, blame
    return furthest[1] if furthest else None


def _progress(arrangement: str, blame: Blame) -> tuple[int, int]:
    names = [term.argument for term in parse_arrangement(arrangement)]
    return names.index(blame.argument), -1 if blame.axis is None else blame.axis


def _bind(term: Term, shape: Shape, bindings: _Bindings) -> Blame | None:
    expected = bindings.expected(term.axes)
    if expected is not None:
        return _compare(term, shape, expected)
    return _unify(term, shape, bindings)


def _compare(term: Term, shape: Shape, expected: Shape) -> Blame | None:
    if term.fit == "into":
        return _compare_into(term.argument, shape, expected)
    if len(shape) != len(expected):
        return _other_rank(term.argument, _odd_axis(shape, expected), shape, expected)
    wrong = [axis for axis, (a, b) in enumerate(zip(shape, expected, strict=True)) if a != b]
    if not wrong or (term.fit == "one" and len(wrong) == 1 and shape[wrong[0]] == 1):
        return None
    axis = wrong[0]
    return _blame("size", term.argument, axis, got=shape[axis], wanted=expected[axis])


def _compare_into(argument: str, shape: Shape, expected: Shape) -> Blame | None:
    if len(shape) > len(expected):
        return _other_rank(argument, 0, shape, expected)
    for back in range(1, len(shape) + 1):
        if shape[-back] not in (1, expected[-back]):
            sizes = {"got": shape[-back], "wanted": expected[-back]}
            return _blame("into", argument, len(shape) - back, **sizes)
    return None


def _unify(term: Term, shape: Shape, bindings: _Bindings) -> Blame | None:
    star = next((i for i, axis in enumerate(term.axes) if axis.startswith("*")), None)
    fixed = len(term.axes) - (star is not None)
    if len(shape) < fixed or (star is None and len(shape) > fixed):
        return _blame("count", term.argument, None, got=len(shape), wanted=fixed)
    after = 0 if star is None else len(term.axes) - star - 1
    pairs = list(zip(term.axes[:star], range(len(shape)), strict=False))
    if star is not None:
        bindings.runs[term.axes[star]] = shape[star : len(shape) - after]
        pairs += list(
            zip(term.axes[star + 1 :], range(len(shape) - after, len(shape)), strict=True)
        )
    for name, axis in pairs:
        wanted = 1 if name == "1" else bindings.sizes.setdefault(name, shape[axis])
        if wanted != shape[axis]:
            return _blame("size", term.argument, axis, got=shape[axis], wanted=wanted)
    return None


def _odd_axis(shape: Shape, expected: Shape) -> int | None:
    """The one axis too many, if removing it gives the expected shape."""
    if len(shape) != len(expected) + 1:
        return None
    fits = (i for i in range(len(shape)) if shape[:i] + shape[i + 1 :] == expected)
    return max(fits, default=None)


def _other_rank(argument: str, axis: int | None, shape: Shape, expected: Shape) -> Blame:
    return _blame("shape", argument, axis, got=shape_text(shape), wanted=shape_text(expected))


def _blame(cause: str, argument: str, axis: int | None, **facts: int | str) -> Blame:
    return Blame(argument, axis, _REASONS[cause].format(**facts), Phrase(cause, facts))
