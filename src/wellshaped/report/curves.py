"""The curves of a run: as SVG by our own hand, for light and dark pages, and as PNG.

Both draw the same marks; a mark knows its place in the picture, from the upper left corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.training.progress import Curves, Series
from wellshaped.report.text.width import cells
from wellshaped.report.training import number

_WIDTH, _HEIGHT = 380, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 14, 34, 34
_ABOVE = 20  # where the title stands, in a picture that has one
_COLUMNS = 2
_MOST_POINTS = 300
# Readable on white and on black, and for those who do not tell red from green.
_LIGHT = ("#0b62c4", "#c2410c", "#5b21b6", "#0f766e")
_DARK = ("#6cb2ff", "#fb923c", "#c4a1ff", "#5eead4")
_WORDS = {"train": "curve_train", "evaluation": "curve_evaluation"}
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Words at a place; `color` is that of a curve, or the page's."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    color: int | None = None
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of the grid, from left to right."""

    x1: float
    x2: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A curve; a dot if it has one point."""

    points: Points
    color: int


Mark = Text | GridLine | Line


def svg(curves: Curves, words: Words = ENGLISH) -> str:
    """All panels as one picture that needs nothing else; its colours follow the reader's."""

    def said(each: Words) -> str:
        wide, high = _size(curves)
        title = escape(each.training("curves_title"))
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
            f'aria-label="{title}" class="curves">',
            f"<title>{title}</title>",
            f"<style>{_style()}</style>",
            *(_element(mark) for mark in _marks(curves, each)),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    return in_one_language(words, said)


def png(curves: Curves, path: Path) -> None:
    """The same through matplotlib, in English: its own font has no other letters."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    wide, high = _size(curves)
    figure = Figure(figsize=(wide / 80, high / 80))
    FigureCanvasAgg(figure)

    def place(x: float, y: float) -> tuple[float, float]:
        return x / wide, 1 - y / high

    sides: dict[str, Literal["left", "center", "right"]]
    sides = {"start": "left", "middle": "center", "end": "right"}
    for mark in _marks(curves, ENGLISH):
        if isinstance(mark, Text):
            color = "#333" if mark.color is None else _LIGHT[mark.color]
            weight, size = ("bold", 10) if mark.is_heading else ("normal", 9)
            x, y = place(mark.x, mark.y)
            made = figure.text(x, y, mark.text, color=color, weight=weight, size=size)
            made.set_horizontalalignment(sides[mark.anchor])
        elif isinstance(mark, GridLine):
            ends = [place(mark.x1, mark.y), place(mark.x2, mark.y)]
            figure.add_artist(Line2D(*zip(*ends, strict=True), color="#8884", linewidth=0.8))
        else:
            xs, ys = zip(*(place(*point) for point in mark.points), strict=True)
            dot = "o" if len(xs) == 1 else ""
            figure.add_artist(
                Line2D(xs, ys, color=_LIGHT[mark.color], linewidth=1.4, marker=dot, markersize=4)
            )
    figure.savefig(path, dpi=120)


def panel(series: Sequence[Series], words: Words) -> tuple[str, str]:
    """One panel, for a page that names and colours it: its view box, and its elements."""
    marks = "".join(map(_element, _panel(series, words, 0, 0)))
    return f"0 {_ABOVE} {_WIDTH} {_HEIGHT - _ABOVE}", marks


def thinned(points: Points) -> Points:
    """At most some hundred points: neighbours become their mean, the last one stays."""
    finite = tuple(each for each in points if math.isfinite(each[1]))
    size = math.ceil(len(finite) / _MOST_POINTS)
    if size <= 1:
        return finite
    groups = [finite[at : at + size] for at in range(0, len(finite), size)]
    means = [tuple(sum(axis) / len(group) for axis in zip(*group, strict=True)) for group in groups]
    return (*((x, y) for x, y in means[:-1]), finite[-1])


def ticks(low: float, high: float, *, most: int = 5) -> tuple[float, ...]:
    """Round numbers from `low` to `high`, at most so many and one."""
    if not high > low:
        return (low,)
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(float(f"{each * step:.12g}") for each in range(first, last + 1))


def _size(curves: Curves) -> tuple[int, int]:
    rows = math.ceil(len(curves.panels) / _COLUMNS)
    return _COLUMNS * _WIDTH, max(rows, 1) * _HEIGHT


def _marks(curves: Curves, words: Words) -> Iterator[Mark]:
    for place, (title, series) in enumerate(curves.panels):
        down, across = divmod(place, _COLUMNS)
        x, y = across * _WIDTH, down * _HEIGHT
        yield Text(x + _LEFT, y + 20, title, is_heading=True)
        if len(series) > 1:
            yield from _legend(series, words, x, y)
        yield from _panel(series, words, x, y)


def _panel(series: Sequence[Series], words: Words, x: float, y: float) -> Iterator[Mark]:
    drawn = [thinned(each.points) for each in series]
    every = [point for points in drawn for point in points]
    if not every:
        return
    frame = _Frame(every, x, y)
    yield from frame.grid(words)
    for color, points in enumerate(drawn):
        if points:
            yield Line(tuple(map(frame.at, points)), color % len(_LIGHT))


def _legend(series: tuple[Series, ...], words: Words, x: float, y: float) -> Iterator[Mark]:
    at = x + _WIDTH - _RIGHT
    for color, each in reversed(list(enumerate(series))):
        name = series_name(each, words)
        yield Text(at, y + 20, name, "end", color % len(_LIGHT))
        at -= 10 + 7 * cells(name)


def series_name(series: Series, words: Words) -> str:
    """What a curve is called: the two that every run has, in words."""
    known = _WORDS.get(series.name)
    return words.training(known) if known else series.name


class _Frame:
    """Where numbers stand in the panel at `left`, `top`."""

    def __init__(self, points: list[tuple[float, float]], left: float, top: float) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.top = left, top
        self.x0, self.x1 = min(xs), max(xs)
        # Around a single number there is room too.
        low, high = min(ys), max(ys)
        room = 0.05 * (high - low) or abs(high) * 0.1 or 1.0
        self.y0, self.y1 = low - room, high + room

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        across = (x - self.x0) / (self.x1 - self.x0) if self.x1 > self.x0 else 0.5
        up = (y - self.y0) / (self.y1 - self.y0)
        return (
            round(self.left + _LEFT + across * (_WIDTH - _LEFT - _RIGHT), 1),
            round(self.top + _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM), 1),
        )

    def grid(self, words: Words) -> Iterator[Mark]:
        begin, end = self.left + _LEFT, self.left + _WIDTH - _RIGHT
        for value in ticks(self.y0, self.y1):
            _, y = self.at((self.x0, value))
            yield GridLine(begin, end, y)
            yield Text(begin - 6, y + 4, number(value), "end")
        bottom = self.top + _HEIGHT
        for value in ticks(self.x0, self.x1):
            x, _ = self.at((value, self.y0))
            yield Text(x, bottom - _BOTTOM + 16, number(value), "middle")
        yield Text(end, bottom - 4, words.training("curve_step"), "end")


def _style() -> str:
    def colors(chosen: tuple[str, ...]) -> str:
        pairs = enumerate(chosen)
        return "".join(
            f".curves .s{n}{{stroke:{color}}}.curves .t{n}{{fill:{color}}}" for n, color in pairs
        )

    return (
        ".curves text{font:11px system-ui,sans-serif;fill:#333}"
        ".curves .h{font-weight:600;font-size:12px}"
        ".curves .g{stroke:#8884;stroke-width:1}"
        ".curves polyline{fill:none;stroke-width:1.6;stroke-linejoin:round}"
        f"{colors(_LIGHT)}"
        "@media (prefers-color-scheme:dark){.curves text{fill:#ddd}" + colors(_DARK) + "}"
    )


def _element(mark: Mark) -> str:
    if isinstance(mark, Text):
        kind = "h" if mark.is_heading else "" if mark.color is None else f"t{mark.color}"
        named = f' class="{kind}"' if kind else ""
        anchor = f' text-anchor="{mark.anchor}"' if mark.anchor != "start" else ""
        return f'<text{named} x="{mark.x}" y="{mark.y}"{anchor}>{escape(mark.text)}</text>'
    if isinstance(mark, GridLine):
        return f'<line class="g" x1="{mark.x1}" x2="{mark.x2}" y1="{mark.y}" y2="{mark.y}"/>'
    if len(mark.points) == 1:
        x, y = mark.points[0]
        return f'<circle class="t{mark.color}" cx="{x}" cy="{y}" r="3"/>'
    points = " ".join(f"{x},{y}" for x, y in mark.points)
    return f'<polyline class="s{mark.color}" points="{points}"/>'
