"""The page of a training run: its end, its curves, and texts that were sampled."""

from __future__ import annotations

from collections.abc import Sequence

from wellshaped.locale import Words
from wellshaped.records.training.progress import Ended, Kept, Series
from wellshaped.records.training.samples import Sample, Samples
from wellshaped.report.curves import panel, series_name
from wellshaped.report.training import end_parts, number
from wellshaped.report.web.frame import html_page
from wellshaped.report.web.markup import element, text

_MOST_ROWS = 40
_COLOURS = 4


def render(title: str, runs: Sequence[Kept], *, lang: str, version: str) -> str:
    """The whole file: one run, or the stages of one; the series keep their names."""

    def body(words: Words) -> str:
        return "".join(_run(each, words, f"{words.lang}-{n}") for n, each in enumerate(runs))

    return html_page(title, lang, version, body)


def _run(run: Kept, words: Words, key: str) -> str:
    parts = []
    if run.stage:
        parts.append(element("h2", text(words.training(f"stage_{run.stage}")), klass="stage"))
    if run.ended is not None:
        parts.append(_end(run.ended, words))
    panels = [panel for panel in run.curves.panels if any(each.points for each in panel[1])]
    if panels:
        parts.append(element("h2", text(words.web("curves"))))
    drawn = [
        _panel(name, series, words, f"{key}-curve-{place}")
        for place, (name, series) in enumerate(panels)
    ]
    parts.append(element("div", drawn, klass="curves"))
    parts += [_samples(each, words) for each in run.samples]
    return "".join(parts)


def _end(ended: Ended, words: Words) -> str:
    """How the run ended, in words; the colour says it again."""
    how, *others = end_parts(ended, words)
    sentences = [element("strong", text(how)), *map(text, others)]
    lines = [element("p", each) for each in sentences]
    return element("section", lines, klass=f"ended {ended.how.replace(' ', '-')}")


def _panel(name: str, series: Sequence[Series], words: Words, key: str) -> str:
    drawn = [each for each in series if each.points]
    box, marks = panel(drawn, words)
    said = "; ".join(_said(each, words) for each in drawn)
    picture = element(
        "svg",
        [
            element("title", text(name), id=f"{key}-title"),
            element("desc", text(said), id=f"{key}-desc"),
            marks,
        ],
        viewBox=box,
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        klass="curve",
    )
    keys = [
        element(
            "li", f'<span class="line s{place % _COLOURS}"></span> {text(series_name(each, words))}'
        )
        for place, each in enumerate(drawn)
    ]
    parts = [element("h3", text(name)), picture, element("ul", keys, klass="keys")]
    return element("section", [*parts, _numbers(drawn, words)], klass="panel")


def _said(series: Series, words: Words) -> str:
    """A curve for those who do not see it."""
    (start, first), (end, last) = series.points[0], series.points[-1]
    values = [value for _, value in series.points]
    return words.web(
        "curve_said", name=series_name(series, words), first=number(first), start=number(start),
        last=number(last), end=number(end), least=number(min(values)), most=number(max(values)),
    )  # fmt: skip


def _numbers(series: Sequence[Series], words: Words) -> str:
    """The same as a table, folded; of long series every so many steps."""
    steps = sorted({x for each in series for x, _ in each.points})
    every = max(1, -(-len(steps) // _MOST_ROWS))
    shown = sorted({*steps[::every], steps[-1]})
    held = [dict(each.points) for each in series]
    names = [words.web("step"), *(series_name(each, words) for each in series)]
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
