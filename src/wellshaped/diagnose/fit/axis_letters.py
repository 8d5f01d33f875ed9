"""The letters of axes, and which of them are at fault."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from wellshaped.records.flow import Axes, Axis, AxisState
from wellshaped.records.phrase import Phrase

Shape = tuple[int, ...]
_SUFFIX = re.compile(r"_([A-Z]+)$")
_INNER = re.compile(r"\(([^()]*)\)")
_PICTURE = ("B", "C", "H", "W")
_SEQUENCE = ("B", "T", "F")
# What comes out of layers, by the number of axes.
_KINDS: Final[tuple[tuple[str, dict[int, tuple[str, ...]]], ...]] = (
    ("Linear Embedding", {1: ("F",), 2: ("B", "F"), 3: _SEQUENCE}),
    ("LSTM GRU RNN TransformerEncoder LayerNorm", {3: _SEQUENCE}),
    ("Conv1d MaxPool1d AvgPool1d BatchNorm1d conv1d max_pool1d", {3: ("B", "C", "T")}),
    ("Conv2d ConvTranspose2d BatchNorm2d conv2d max_pool2d avg_pool2d", {4: _PICTURE}),
    ("MaxPool2d AvgPool2d AdaptiveAvgPool2d AdaptiveMaxPool2d", {4: _PICTURE}),
)
_LAYERS: Final = {name: axes for names, axes in _KINDS for name in names.split()}
# Layers that take as many axes as they give, of the same meaning.
_TAKEN: Final = {name: axes for name, axes in _LAYERS.items() if name != "Embedding"}


def of_layer(operation: str, shape: Shape, batch: int) -> Axes:
    """The axes of what an operation gave."""
    names = _LAYERS.get(operation, {}).get(len(shape), ())
    return lettered_axes(shape, (*_leading(shape, batch), "")[:1] + names[1:])


def of_operand(text: str, needs: str | Phrase, shape: Shape, batch: int) -> Axes:
    """The axes of a tensor that a call gets: as its name says, as the call needs, or its rows."""
    written = _SUFFIX.search(text)
    if written and len(written[1]) == len(shape):
        return lettered_axes(shape, tuple(written[1]))
    wanted = needed_sizes(needs)
    if len(wanted) == len(shape) and "..." not in wanted:
        spelled = tuple(each if each.isalpha() else "" for each in wanted)
        return lettered_axes(shape, spelled if any(spelled) else _leading(shape, batch))
    return lettered_axes(shape, _leading(shape, batch))


def lettered_axes(shape: Shape, names: tuple[str, ...] = ()) -> Axes:
    """Axes with their letters, as far as there are any."""
    given = (*names, *[""] * len(shape))
    return tuple(Axis(size, name) for size, name in zip(shape, given, strict=False))


def lettered(given: Axes, names: Sequence[str]) -> Axes:
    """The axes, those without a letter by the letters of a tensor with as many."""
    if len(names) != len(given):
        return given
    return tuple(
        replace(axis, name=axis.name or name) for axis, name in zip(given, names, strict=True)
    )


def letters_of(given: Axes | None) -> tuple[str, ...]:
    """The letters of axes; none where they are not known."""
    return tuple(axis.name for axis in given or ())


def taken_by(operation: str, rank: int) -> tuple[str, ...]:
    """The letters of what a layer takes; the rows may stand elsewhere, so they have none here."""
    return ("", *_TAKEN.get(operation, {}).get(rank, ())[1:])


def _leading(shape: Shape, batch: int) -> tuple[str, ...]:
    return ("B",) if batch and shape[:1] == (batch,) else ()


def needed_sizes(needs: str | Phrase) -> tuple[str, ...]:
    """The parts of a shape as it should be, `("...", "160")`; none where it is no shape."""
    found = _INNER.search(needs) if isinstance(needs, str) else None
    parts = found[1].split(",") if found else []
    return tuple(part.strip() for part in parts if part.strip())


def marked(given: Axes, places: Mapping[int, AxisState]) -> Axes:
    """The axes with the states of some of them; a missing one is put where it belongs."""
    found: list[Axis] = []
    for place, axis in enumerate(given):
        state = places.get(place, axis.state)
        if state == "missing":
            found.append(Axis(1, "", "missing"))
            state = "fits"
        found.append(Axis(axis.size, axis.name, state))
    if places.get(len(given)) == "missing":
        found.append(Axis(1, "", "missing"))
    return tuple(found)


def misfits(needs: str | Phrase, shape: Shape) -> dict[int, AxisState]:
    """Axes whose size differs from a number that is needed there."""
    wanted = needed_sizes(needs)
    if "..." in wanted:
        wanted = wanted[wanted.index("...") + 1 :]
        if len(wanted) > len(shape):
            return {}
    elif len(wanted) != len(shape):
        return {}
    start = len(shape) - len(wanted)
    return {
        start + place: "wrong"
        for place, each in enumerate(wanted)
        if each.isdigit() and int(each) != shape[start + place]
    }


def changed_axes(before: Shape, after: Shape) -> tuple[dict[int, AxisState], dict[int, AxisState]]:
    """What a repair tells of a shape: the axes that were at fault, and those that are new."""
    if len(after) == len(before) + 1:
        place = _extra(after, before)
        return ({}, {}) if place is None else ({place: "missing"}, {place: "added"})
    if len(after) < len(before):
        gone = [place for place in range(len(before)) if _without(before, place) == after]
        ones = [place for place in gone if before[place] == 1] or gone
        return ({ones[-1]: "wrong"} if ones else _all_wrong(before[1:], 1)), {}
    if len(after) == len(before):
        odd = [place for place in range(len(after)) if after[place] != before[place]]
        return dict.fromkeys(odd, "wrong"), {}
    return _all_wrong(before[1:], 1), {}


def _extra(longer: Shape, shorter: Shape) -> int | None:
    fits = [place for place in range(len(longer)) if _without(longer, place) == shorter]
    ones = [place for place in fits if longer[place] == 1]
    return max(ones or fits, default=None)


def _without(shape: Shape, place: int) -> Shape:
    return shape[:place] + shape[place + 1 :]


def _all_wrong(shape: Shape, start: int) -> dict[int, AxisState]:
    return dict.fromkeys(range(start, start + len(shape)), "wrong")


def other_sizes(shape: Shape, beside: Shape) -> dict[int, AxisState]:
    """Axes that meet another size in a tensor they stand beside, counted from the end."""
    pairs = zip(reversed(range(len(shape))), reversed(beside), strict=False)
    return {
        place: "wrong"
        for place, size in pairs
        if shape[place] != size and 1 not in (shape[place], size)
    }
