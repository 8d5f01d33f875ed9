"""The edits that take a cut out of the graph between parameters and loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from wellshaped.diagnose.written import call_of, part_text, unsqueezed
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage, Span

_OF_TENSORS = ("stack", "cat")


def cut_facts(observation: Observation) -> dict[str, Any]:
    """What the sentences about a cut are filled with."""
    cut, back = observation.operand("cut"), observation.operand("back")
    return {
        "cut": cut.text if cut else observation.callee,
        "back": back.text if back else "",
        **{key: observation.options[key] for key in ("starved", "total")},
    }


def variant_of(observation: Observation) -> str:
    """The kind of cut a sentence is chosen by."""
    kind = observation.options["cut"]
    if kind in ("detach", "detach_", "data"):
        return "detached"
    if kind in ("item", "tolist", "numpy"):
        return "left"
    if kind == "tensor":
        return "rebuilt"
    return "sampled" if observation.options["sampled"] else str(kind)


def uncut(observation: Observation) -> Iterator[Repair]:
    """The repairs of a cut that is written as a call of its own."""
    cut, back = observation.operand("cut"), observation.operand("back")
    if cut is None or cut.passage is None:
        return
    dropped = _dropped(cut.passage)
    kind = variant_of(observation)
    if kind == "detached":
        yield Repair("drop", edits=dropped)
    elif kind == "rebuilt":
        yield from (Repair("keep", edits=edits) for edits in _kept(cut.passage))
    elif kind == "left" and back is not None and back.passage is not None:
        for edits in _kept(back.passage) if dropped else ():
            yield Repair("keep", edits=(*dropped, *edits))


def _dropped(passage: Passage) -> tuple[Edit, ...]:
    """`x.detach()`, `x.item()` and `x.data` as plain `x`."""
    span, text = passage.span, passage.text
    if span is not None and text.endswith(".data"):
        start = span.end_column - len(".data")
        gone = Span(span.end_line, start, span.end_line, span.end_column)
        return (Edit(passage.place.file, gone, ""),)
    called = call_of(passage)
    name = called.func.attr if called and isinstance(called.func, ast.Attribute) else ""
    if name in ("detach", "detach_", "item", "tolist"):
        return unsqueezed(passage, "", "")
    return ()


def _kept(passage: Passage) -> Iterator[tuple[Edit, ...]]:
    """`torch.tensor(x)` as `x` where that is an expression, and as `stack` where it is a list."""
    call = call_of(passage)
    if call is None or not call.args or passage.span is None:
        return
    inner, file = part_text(passage, call.args[0]), passage.place.file
    owner = part_text(passage, call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if owner != "torch":
        return
    for name in _OF_TENSORS:
        yield (Edit(file, passage.span, f"{owner}.{name}({inner})"),)
    if not isinstance(call.args[0], (ast.List, ast.ListComp, ast.GeneratorExp)):
        yield (Edit(file, passage.span, inner),)
