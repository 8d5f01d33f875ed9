"""The edits that take a cut out of the graph between parameters and loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wellshaped.diagnose.edits.call_edits import call_of, part_text, unsqueezed
from wellshaped.records.facts import Facts
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCut(Facts):
    """What keeps a gradient back, from how many parameters of how many, and the module of those.

    `sampled` is whether it draws at random, `gathered` whether it makes one tensor of several,
    `drawn_from` whether samples are drawn from what gets no gradient.
    """

    cut: str
    starved: int
    total: int
    module: str
    sampled: bool
    gathered: bool
    drawn_from: bool


def cut_of(observation: Observation) -> GraphCut:
    """The cut that an observation is about."""
    assert isinstance(observation.facts, GraphCut)
    return observation.facts


def cut_facts(observation: Observation) -> dict[str, Any]:
    """What the sentences about a cut are filled with."""
    known = cut_of(observation)
    cut, back = observation.operand("cut"), observation.operand("back")
    return {
        "cut": cut.text if cut else observation.callee,
        "back": back.text if back else "",
        "starved": known.starved,
        "total": known.total,
    }


def variant_of(observation: Observation) -> str:
    """The kind of cut a sentence is chosen by."""
    kind = cut_of(observation).cut
    if kind in ("detach", "detach_", "data"):
        return "detached"
    if kind in ("item", "tolist", "numpy"):
        return "left"
    if kind == "tensor":
        return "rebuilt"
    return "sampled" if cut_of(observation).sampled else kind


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
        gathered = cut_of(observation).gathered
        for edits in _gathered(cut.passage) if gathered else _plain(cut.passage):
            yield Repair("keep", edits=edits)
    elif kind == "left" and back is not None and back.passage is not None:
        for edits in _gathered(back.passage) if dropped else ():
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


def _gathered(passage: Passage) -> Iterator[tuple[Edit, ...]]:
    """`torch.tensor(scores)` of a list as `torch.stack(scores)`, or as `torch.cat(scores)`."""
    inner = _content(passage)
    if inner and passage.span is not None:
        for name in ("stack", "cat"):
            yield (Edit(passage.place.file, passage.span, f"torch.{name}({inner})"),)


def _plain(passage: Passage) -> Iterator[tuple[Edit, ...]]:
    """`torch.tensor(x)` as `x`."""
    inner = _content(passage)
    if inner and passage.span is not None:
        yield (Edit(passage.place.file, passage.span, inner),)


def _content(passage: Passage) -> str:
    """What `torch.tensor` is made of, as it is written."""
    call = call_of(passage)
    if call is None or not call.args or part_text(passage, call.func) != "torch.tensor":
        return ""
    return part_text(passage, call.args[0])
