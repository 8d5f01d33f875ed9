"""Shape flow as text: 80 cells wide, complete without colour."""

from __future__ import annotations

from collections.abc import Iterator

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.flow import Axes, Axis, AxisState, Flow, Lane, Meeting, Stage
from wellshaped.report.compose import shown_path
from wellshaped.report.text.paint import Line, Style, StyledText, paint, plain
from wellshaped.report.text.width import cells, cut_start, truncated, visible
from wellshaped.report.text.wrap import wrap

LETTERS = ("B", "C", "D", "F", "H", "S", "T", "W")
SIGNS: dict[AxisState, str] = {"fits": "", "wrong": "!", "missing": "?", "added": "+"}
_STYLES: dict[AxisState, Style] = {
    "fits": "plain",
    "wrong": "primary",
    "missing": "primary",
    "added": "added",
}
_INDENT = "    "
_ARROW = "-> "
_LONGEST_NAME = 18
_LONGEST_PLACE = 18
_MARGIN = 2
_NARROWEST_TEXT = 12


def render(flow: Flow, words: Words = ENGLISH, *, width: int = 80, color: bool = False) -> str:
    """The lanes, the call, and the call at every batch size; empty where nothing is known."""
    if not flow.lanes:
        return ""
    lines = in_one_language(words, lambda each: list(_drawn(flow, each, width - _MARGIN)))
    return "\n".join(paint(line, color=color, links=False) for line in lines) + "\n"


def _drawn(flow: Flow, words: Words, edge: int) -> Iterator[Line]:
    yield (StyledText(f"  {words.web('flow')}", "label"),)
    yield ()
    names = [each.role for each in flow.lanes] + [flow.label]
    column = min(max(cells(visible(each)) for each in names), _LONGEST_NAME) + 2
    room = max(cells(plain(_axes(each.axes, words))) for lane in flow.lanes for each in lane.stages)
    for lane in flow.lanes:
        yield from _lane(lane, words, column, room, edge)
    yield from _call(flow, words, column, edge)
    sizes = max((len(str(each.batch)) for each in flow.meetings), default=0)
    for meeting in flow.meetings:
        yield ()
        yield from _meeting(meeting, words, sizes, edge)
    yield ()
    for line in wrap(_legend(flow, words), width=edge - len(_INDENT)):
        yield (StyledText(_INDENT), StyledText(line, "aside"))


def _lane(lane: Lane, words: Words, column: int, room: int, edge: int) -> Iterator[Line]:
    for place, stage in enumerate(lane.stages):
        name = truncated(visible(lane.role), width=column - 2) if place == 0 else ""
        head = StyledText(f"{_INDENT}{name}{' ' * (column - cells(name))}", "label")
        arrow = StyledText(_ARROW if place else " " * len(_ARROW), "gutter")
        yield from _stage(stage, (head, arrow), words, room, edge)


def _stage(stage: Stage, head: Line, words: Words, room: int, edge: int) -> Iterator[Line]:
    """Axes, expression and place on one line; the last two below where they do not fit."""
    shown = _axes(stage.axes, words) if stage.operation else (StyledText("..."),)
    left = (*head, *shown)
    fill = cells(plain(head)) + room + 2
    place = _place(stage, edge)
    space = edge - fill - (cells(place) + 2 if place else 0)
    text = visible(stage.text)
    if space < min(cells(text), _NARROWEST_TEXT):
        yield left
        left, fill = (), cells(plain(head)) + 2
        place = cut_start(place, width=(edge - fill) // 2)
        space = edge - fill - cells(place) - 2
    text = truncated(text, width=space)
    gap = edge - fill - cells(text) - cells(place)
    pad = StyledText(" " * (fill - cells(plain(left))))
    yield (*left, pad, StyledText(text, "code"), StyledText(" " * gap), StyledText(place, "aside"))


def _place(stage: Stage, edge: int) -> str:
    passage = stage.passage
    if passage is None or not passage.place.file:
        return ""
    place = visible(f"{shown_path(passage.place.file)}:{passage.place.line}")
    return cut_start(place, width=max(_LONGEST_PLACE, edge // 4))


def _axes(given: Axes | None, words: Words) -> Line:
    """`[B 64 | !1]`: each axis with its letter, its size and a sign where it is not right."""
    if given is None:
        return (StyledText(f"[{words.web('unknown_shape')}]", "aside"),)
    parts: list[StyledText] = [StyledText("[")]
    for place, axis in enumerate(given):
        parts += [StyledText(" | ")] if place else []
        parts.append(StyledText(_axis(axis), _STYLES[axis.state]))
    return (*parts, StyledText("]"))


def _axis(axis: Axis) -> str:
    return f"{SIGNS[axis.state]}{axis.name}{' ' if axis.name else ''}{axis.size}"


def _call(flow: Flow, words: Words, column: int, edge: int) -> Iterator[Line]:
    name = truncated(visible(flow.label), width=column - 2)
    head = StyledText(f"{_INDENT}{name}{' ' * (column - cells(name))}", "label")
    arrivals = [_axes(lane.stages[-1].axes, words) for lane in flow.lanes]
    yield from _side_by_side((head, StyledText("<- ", "gutter")), arrivals, edge)


def _side_by_side(head: Line, tensors: list[Line], edge: int) -> Iterator[Line]:
    """Tensors in a row, as many lines as they need."""
    line, used = head, cells(plain(head))
    start = used
    for tensor in tensors:
        if used > start and used + 2 + cells(plain(tensor)) > edge:
            yield line
            line, used = (StyledText(" " * start),), start
        gap = "  " if used > start else ""
        line = (*line, StyledText(gap), *tensor)
        used += len(gap) + cells(plain(tensor))
    yield line


def _meeting(meeting: Meeting, words: Words, digits: int, edge: int) -> Iterator[Line]:
    rows = [(words.web("as_written"), meeting.before, meeting.arrives)]
    if meeting.repaired or meeting.after is not None:
        rows.append((words.web("repaired"), meeting.after, meeting.repaired))
    wide = max(cells(label) for label, _, _ in rows)
    states = max(cells(_state(right, words)) for _, right, _ in rows)
    size = f"B = {meeting.batch:<{digits}}"
    for place, (label, right, given) in enumerate(rows):
        start = f"{_INDENT}{'' if place else size}".ljust(len(_INDENT) + len(size) + 2)
        state = _state(right, words)
        style: Style = {True: "safe", False: "error", None: "aside"}[right]  # type: ignore[assignment]
        head = (
            StyledText(start, "label"),
            StyledText(f"{label}{' ' * (wide - cells(label))}  "),
            StyledText(f"{state}{' ' * (states - cells(state))}  ", style),
        )
        yield from _side_by_side(head, [_axes(each, words) for each in given], edge)


def _state(right: bool | None, words: Words) -> str:
    if right is None:
        return words.web("not_tried")
    return words.label("size_holds" if right else "size_fails")


def _legend(flow: Flow, words: Words) -> str:
    known = [f"{name} {words.web(f'letter_{name}')}" for name in LETTERS if name in flow.names]
    signs = [f"{SIGNS[each]} {words.web(f'axis_{each}')}" for each in flow.states]
    return "; ".join([*known, *signs])
