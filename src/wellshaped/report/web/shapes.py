"""The page of the shapes of a program: its lines with what they computed, and its layers."""

from __future__ import annotations

from wellshaped.locale import Words
from wellshaped.records.shapes import ExpressionShapes, ModelShapes, ShapesReport
from wellshaped.report.formats.machine import shown_file
from wellshaped.report.summary import line
from wellshaped.report.text.shapes import (
    Rows,
    by_line,
    ending,
    layer_text,
    seen_text,
    shown_layers,
    tensors_text,
)
from wellshaped.report.web.frame import html_page
from wellshaped.report.web.markup import element, prose, text


def render(report: ShapesReport, *, lang: str, version: str, depth: int) -> str:
    """The whole file."""

    def body(words: Words) -> str:
        files = [_file(file, rows, words) for file, rows in by_line(report.shapes.expressions)]
        models = [_model(each, words, depth) for each in report.shapes.models]
        head = element("p", text(ending(report, words)), klass="count")
        return head + "".join(files) + "".join(models)

    return html_page(report.program, lang, version, body)


def _file(file: str, rows: Rows, words: Words) -> str:
    digits = len(str(rows[-1][0]))
    lines = [part for row in rows for part in _line(*row, digits)]
    name = shown_file(file)
    block = element(
        "pre",
        element("code", "\n".join(lines)),
        klass="source",
        tabindex=0,
        role="region",
        aria_label=f"{words.web('source')} {name}",
    )
    caption = element("figcaption", element("code", text(name), klass="place"))
    return element("figure", caption + block, klass="excerpt")


def _line(number: int, source: str, found: list[ExpressionShapes], digits: int) -> list[str]:
    gutter = element("span", f"{number:>{digits}}", klass="gutter")
    blank = element("span", " " * digits, klass="gutter")
    indent = " " * (len(source) - len(source.lstrip()) + 4)
    widest = max(len(each.name) for each in found)
    below = [
        f"{blank} {indent}{text(each.name.ljust(widest))}  "
        + element("span", text(seen_text(each.seen)), klass="labels")
        for each in found
    ]
    return [f"{gutter} {text(source)}", *below]


def _model(model: ModelShapes, words: Words, depth: int) -> str:
    root = model.layers[0]
    where = f"{shown_file(model.place.file)}:{model.place.line}"
    head = line(words, "shapes_model", kind=root.kind, where=where, count=f"{root.parameters:,}")
    names = [words.summary(f"shapes_{each}") for each in ("layer", "input", "output", "weights")]
    rows = [element("tr", [element("th", text(each), scope="col") for each in names])]
    for each in shown_layers(model, depth):
        path = element("span", text(layer_text(each)), klass="layer")
        cells = [path, text(tensors_text(each.inputs)), text(tensors_text(each.outputs))]
        cells.append(text(f"{each.parameters:,}") if each.parameters else "-")
        rows.append(element("tr", [element("td", cell) for cell in cells]))
    table = element("div", element("table", rows), klass="table")
    return element("section", element("h2", prose(head)) + table)
