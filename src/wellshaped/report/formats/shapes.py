"""The shapes of a program as JSON; `schema/shapes-v1.json` describes it."""

from __future__ import annotations

import json
from typing import Any

from wellshaped.records.shapes import ExpressionShapes, LayerShapes, ShapesReport, Tensors
from wellshaped.records.source import Place
from wellshaped.report.formats.machine import shown_file

VERSION = 1


def render(report: ShapesReport) -> str:
    """The shapes as text; ASCII only."""
    return json.dumps(to_dict(report), indent=2) + "\n"


def to_dict(report: ShapesReport) -> dict[str, Any]:
    """The shapes as plain data, the keys in the order of the schema."""
    return {
        "version": VERSION,
        "program": report.program,
        "complete": report.complete,
        "batch_sizes": list(report.batch_sizes),
        "error": report.error or None,
        "stopped_at": _place(report.place) if report.place else None,
        "expressions": [_expression(each) for each in report.shapes.expressions],
        "models": [
            {**_place(each.place), "layers": [_layer(layer) for layer in each.layers]}
            for each in report.shapes.models
        ],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"file": shown_file(place.file), "line": place.line}


def _expression(expression: ExpressionShapes) -> dict[str, Any]:
    span = expression.passage.span
    return {
        **_place(expression.passage.place),
        "column": span.column + 1 if span else None,
        "text": expression.passage.text,
        "name": expression.name,
        "assigned": expression.assigned,
        "seen": [_tensors(each) for each in expression.seen],
    }


def _layer(layer: LayerShapes) -> dict[str, Any]:
    return {
        "path": layer.path,
        "kind": layer.kind,
        "inputs": _tensors(layer.inputs),
        "outputs": _tensors(layer.outputs),
        "parameters": layer.parameters,
    }


def _tensors(tensors: Tensors) -> list[dict[str, Any]]:
    return [{"shape": list(each.shape), "dtype": each.dtype} for each in tensors]
