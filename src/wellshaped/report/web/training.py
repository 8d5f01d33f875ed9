"""The page of a training run: its end, its curves, and texts that were sampled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from wellshaped.locale.catalogue import Words
from wellshaped.records.samples import Sample, Samples
from wellshaped.records.training import Curves, Ended, Series
from wellshaped.report.training import end_lines, number
from wellshaped.report.web.frame import page
from wellshaped.report.web.markup import element, text

_WIDTH, _HEIGHT = 640, 240
_LEFT, _BELOW, _EDGE = 96, 30, 12
_MOST_ROWS = 40
_COLOURS = 6


def render(
    title: str,
    curves: Curves,
    *,
    lang: str,
    version: str,
    ended: Ended | None = None,
    samples: Sequence[Samples] = (),
    patience: int = 0,
) -> str:
    """The whole file; the series keep their names in every language."""

    def body(words: Words) -> str:
        parts = []
        if ended is not None:
            lines = end_lines(ended, words, patience=patience).splitlines()
            parts.append("".join(element("p", text(line)) for line in lines))
        panels = [panel for panel in curves.panels if any(each.points for each in panel[1])]
        if panels:
            parts.append(element("h2", text(words.web("curves"))))
        drawn = [
            _panel(name, series, words, f"{words.lang}-curve-{place}")
            for place, (name, series) in enumerate(panels)
        ]
        parts.append(element("div", drawn, klass="curves"))
        parts += [_samples(each, words) for each in samples]
        return "".join(parts)

    return page(title, lang, version, body)


def _panel(name: str, series: Sequence[Series], words: Words, key: str) -> str:
    drawn = [each for each in series if each.points]
    picture = element(
        "svg",
        [
            element("title", text(name), id=f"{key}-title"),
            element(
                "desc", text("; ".join(_said(each, words) for each in drawn)), id=f"{key}-desc"
            ),
            *_lines(drawn, words),
        ],
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        klass="curve",
    )
    keys = [
        element("li", f'<span class="line s{place % _COLOURS}"></span> {text(each.name)}')
        for place, each in enumerate(drawn)
    ]
    parts = [element("h3", text(name)), picture, element("ul", keys, klass="keys")]
    return element("section", [*parts, _numbers(drawn, words)], klass="panel")


def _said(series: Series, words: Words) -> str:
    """A curve for those who do not see it."""
    (start, first), (end, last) = series.points[0], series.points[-1]
    values = [value for _, value in series.points]
    return words.web(
        "curve_said", name=series.name, first=number(first), start=number(start),
        last=number(last), end=number(end), least=number(min(values)), most=number(max(values)),
    )  # fmt: skip


def _lines(series: Sequence[Series], words: Words) -> list[str]:
    points = list(chain.from_iterable(each.points for each in series))
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    wide, tall = _WIDTH - _LEFT - _EDGE, _HEIGHT - _BELOW - _EDGE

    def across(x: float) -> str:
        return f"{_LEFT + wide * (x - left) / ((right - left) or 1):.1f}"

    def up(y: float) -> str:
        return f"{_EDGE + tall * (1 - (y - low) / ((high - low) or 1)):.1f}"

    base = _HEIGHT - _BELOW
    parts = [
        element("line", x1=_LEFT, y1=_EDGE, x2=_LEFT, y2=base, klass="rule"),
        element("line", x1=_LEFT, y1=base, x2=_WIDTH - _EDGE, y2=base, klass="rule"),
        element("text", number(high), x=_LEFT - 6, y=_EDGE + 8, text_anchor="end"),
        element("text", number(low), x=_LEFT - 6, y=base, text_anchor="end"),
        element("text", number(left), x=_LEFT, y=_HEIGHT - 8),
        element(
            "text",
            f"{text(words.web('step'))} {number(right)}",
            x=_WIDTH - _EDGE,
            y=_HEIGHT - 8,
            text_anchor="end",
        ),
    ]
    for place, each in enumerate(series):
        shown = " ".join(f"{across(x)},{up(y)}" for x, y in each.points)
        parts.append(element("polyline", points=shown, klass=f"s{place % _COLOURS}"))
        if len(each.points) == 1:
            ((x, y),) = each.points
            parts.append(
                element("circle", cx=across(x), cy=up(y), r=4, klass=f"s{place % _COLOURS}")
            )
    return parts


def _numbers(series: Sequence[Series], words: Words) -> str:
    """The same as a table, folded; of long series every so many steps."""
    steps = sorted({x for each in series for x, _ in each.points})
    every = max(1, -(-len(steps) // _MOST_ROWS))
    shown = sorted({*steps[::every], steps[-1]})
    held = [dict(each.points) for each in series]
    names = [words.web("step"), *(each.name for each in series)]
    head = element("tr", [element("th", text(each), scope="col") for each in names])
    rows = [
        element(
            "tr",
            [element("th", number(step), scope="row"), *(_cell(each.get(step)) for each in held)],
        )
        for step in shown
    ]
    table = element("div", element("table", [head, *rows]), klass="table", tabindex=0, role="group")
    return element("details", element("summary", text(words.web("numbers"))) + table)


def _cell(value: float | None) -> str:
    return element("td", "" if value is None else number(value))


def _samples(samples: Samples, words: Words) -> str:
    head = element("h2", text(words.web("samples_at", step=samples.step)))
    return element("section", [head, *(_sample(each, words) for each in samples.samples)])


def _sample(sample: Sample, words: Words) -> str:
    numbers = f"{words.web('score')} {number(sample.score)}  ·  KL {number(sample.kl)}"
    parts = [
        element("dt", text(words.web("prompt"))),
        element("dd", _text(sample.prompt)),
        element("dt", text(words.web("response"))),
        element("dd", _text(sample.response)),
    ]
    return element(
        "section", [element("dl", parts), element("p", text(numbers), klass="dim")], klass="panel"
    )


def _text(raw: str) -> str:
    """A text as it was written: its lines stay lines."""
    return "<br>".join(text(line) for line in raw.split("\n"))
