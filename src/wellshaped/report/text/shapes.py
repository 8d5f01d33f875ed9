"""The shapes of a program as text: below each line what it computed, then layer by layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from wellshaped.locale import ENGLISH, Words
from wellshaped.records.shape import shape_text
from wellshaped.records.shapes import (
    ExpressionShapes,
    LayerShapes,
    ModelShapes,
    ShapesReport,
    Tensors,
)
from wellshaped.report.formats.machine import shown_file
from wellshaped.report.summary import line
from wellshaped.report.text.width import cells, truncated, visible

_WIDEST_NAME = 40
_DEEPEST = 3
_USUAL = "float32"


def render(report: ShapesReport, words: Words = ENGLISH, *, depth: int = _DEEPEST) -> str:
    """Every file with the lines that computed tensors, then the models to a depth."""
    lines: list[str] = []
    for file, rows in by_line(report.shapes.expressions):
        lines += [visible(shown_file(file)), *_file(rows), ""]
    for model in report.shapes.models:
        lines += [*_model(model, words, depth), ""]
    return "\n".join([*lines, ending(report, words)]) + "\n"


def ending(report: ShapesReport, words: Words) -> str:
    """What the run came to: its batch sizes, or the line where it stopped."""
    if report.error:
        where = f"{shown_file(report.place.file)}:{report.place.line}: " if report.place else ""
        return line(words, "shapes_stopped", where=where, error=report.error)
    sizes = ", ".join(map(str, report.batch_sizes))
    return line(words, "shapes_of", sizes=sizes) if sizes else line(words, "shapes_of_run")


Rows = list[tuple[int, str, list[ExpressionShapes]]]


def by_line(expressions: Sequence[ExpressionShapes]) -> Iterator[tuple[str, Rows]]:
    """By file, in the order of their first shapes, its lines: number, text, expressions."""
    files = dict.fromkeys(each.passage.place.file for each in expressions)
    for file in files:
        here = [each for each in expressions if each.passage.place.file == file]
        here.sort(key=lambda each: each.passage.place.line)
        rows: Rows = []
        for number, group in groupby(here, key=lambda each: each.passage.place.line):
            found = list(group)
            texts = [each.passage.lines[0][1] for each in found if each.passage.lines]
            rows.append((number, texts[0] if texts else "", found))
        yield file, rows


def _file(rows: Rows) -> Iterator[str]:
    digits = max(len(str(number)) for number, *_ in rows)
    for number, text, found in rows:
        yield f"{number:>{digits + 2}} | {visible(text)}"
        names = [truncated(visible(each.name), width=_WIDEST_NAME) for each in found]
        indent = len(text) - len(text.lstrip()) + 4
        widest = max(map(cells, names))
        for name, each in zip(names, found, strict=True):
            gap = " " * (widest - cells(name) + 2)
            yield f"{'':>{digits + 2}} | {'':{indent}}{name}{gap}{seen_text(each.seen)}"


def seen_text(seen: Sequence[Tensors]) -> str:
    """`(16, 5) / (2, 5)`: of several evaluations."""
    return " / ".join(map(tensors_text, seen))


def tensors_text(tensors: Tensors) -> str:
    """`(16, 5)`, or all of several tensors; the dtype where it is not float32."""
    texts = (
        shape_text(each.shape) + (f" {each.dtype}" if each.dtype != _USUAL else "")
        for each in tensors
    )
    return " ".join(texts) or "-"


def _model(model: ModelShapes, words: Words, depth: int) -> Iterator[str]:
    shown = shown_layers(model, depth)
    root = model.layers[0]
    where = f"{shown_file(model.place.file)}:{model.place.line}"
    yield line(words, "shapes_model", kind=root.kind, where=where, count=f"{root.parameters:,}")
    heads = [words.summary(f"shapes_{each}") for each in ("layer", "input", "output", "weights")]
    rows = [[layer_text(each), *_layer(each)] for each in shown]
    widths = [max(cells(row[place]) for row in (heads, *rows)) for place in range(3)]
    for row in (heads, *rows):
        padded = [
            cell + " " * (most - cells(cell)) for cell, most in zip(row, widths, strict=False)
        ]
        yield "  " + "  ".join([*padded, row[3]]).rstrip()


def shown_layers(model: ModelShapes, depth: int) -> tuple[LayerShapes, ...]:
    """The layers of a model to a depth, without the model itself if it has any."""
    return tuple(each for each in model.layers if 0 < each.depth <= depth) or model.layers[:1]


def layer_text(layer: LayerShapes) -> str:
    """`encoder.0 Linear`, moved in by its depth."""
    name = f"{layer.path.rpartition('.')[2]} {layer.kind}".strip()
    return visible("  " * max(0, layer.depth - 1) + name)


def _layer(layer: LayerShapes) -> tuple[str, str, str]:
    weights = f"{layer.parameters:,}" if layer.parameters else "-"
    return tensors_text(layer.inputs), tensors_text(layer.outputs), weights
