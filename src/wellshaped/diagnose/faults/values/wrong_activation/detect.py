"""Detects losses whose input did not go through the activation they expect."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import torch

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.values.wrong_activation import WrongActivation
from wellshaped.diagnose.faults.values.wrong_activation.backward_graph import RAW, SQUASHING
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage, Span
from wellshaped.source.code import Source, source_of

# The classes of a sequence are not in dim 1, where the values are read.
_SEQUENCES = losses(pairs="sequences")
_TAKES = losses(takes="log probabilities") | losses(takes="probabilities")
LOSSES = tuple(RAW | _TAKES - _SEQUENCES)
_LOGS = ("log_softmax", "logsigmoid", "log", "log1p", "logsumexp")
# Operations that keep every value as it is, or only choose among them.
_THROUGH = frozenset(
    "view reshape flatten squeeze unsqueeze transpose permute movedim t T mT contiguous clone to "  # noqa: SIM905 - a table
    "float double half bfloat16 __getitem__ gather expand narrow select split chunk unbind stack "
    "cat type type_as".split()
)
_NEAR_ONE = 1e-3


def wrong_activation(event: Event) -> Observation | None:
    """An activation too many, or one too few, before a loss."""
    name, node = event.name, event.parents[0]
    if not node.learned or not event.tensors[0].numel():
        return None
    maker = maker_of(node)
    found = _judged(name, maker, event)
    if found is None:
        return None
    scene = event.scene("activation")
    if scene is None:
        return None
    seen = event.loss_call()
    if seen is None:
        return None
    extra = tuple(_written(maker)) if maker.name in (*SQUASHING, "clamp") else ()
    operands = (*seen.operands, *extra)
    return replace(seen, kind="silent", operands=operands, facts=WrongActivation(found=found))


def maker_of(node: Node) -> Node:
    """The operation that gave the values they have: beneath views and choices."""
    while node.name in _THROUGH and node.parents:
        node = node.parents[0]
    return node


def _judged(name: str, maker: Node, event: Event) -> str | None:
    value = event.tensors[0].detach()
    if name in RAW:
        return maker.name if maker.name in SQUASHING else None
    if name == "binary_cross_entropy":
        if maker.name == "clamp" and maker_of(maker.parents[0]).name not in SQUASHING:
            return None if _within(maker.parents[0], event) else "clamped"
        return None
    if maker.name in _LOGS or not bool((value > _NEAR_ONE).any()):
        return None
    if maker.name == "softmax" or _sums_to_one(value):
        return "probabilities"
    return "raw" if name == "nll_loss" or is_score(maker) else None


def _within(node: Node, event: Event) -> bool:
    """Whether the values were probabilities before they were clamped, however they were made."""
    tensor = next((t for t in event.trace.tensors_of(node)), None)
    if tensor is None:
        return True
    return bool(((tensor >= 0) & (tensor <= 1)).all())


def _sums_to_one(value: torch.Tensor) -> bool:
    if value.dim() < 2 or not bool(((value >= 0) & (value <= 1)).all()):
        return False
    return bool(((value.sum(1) - 1).abs() < _NEAR_ONE).all())


def is_score(maker: Node) -> bool:
    """Whether values come straight out of a layer that may give any number."""
    return maker.name in ("linear", "conv1d", "conv2d", "conv3d", "matmul", "addmm", "bmm")


def _written(maker: Node) -> Iterator[Operand]:
    """The activation as it stands in the source, and what stands inside it or takes its place."""
    call, built = maker.options.get("passage"), maker.options.get("built")
    inner = _inside(call) if call is not None else None
    if call is not None and inner is not None:
        yield Operand("activation", None, call)
        yield Operand("inner", None, inner)
    elif built is not None:
        yield Operand("activation", None, built)
        gone = _item_of_list(built)
        if gone is not None:
            yield Operand("item", None, gone)


def _node_at(passage: Passage) -> tuple[Source, ast.expr] | None:
    source = source_of(passage.place.file)
    if source is None or passage.span is None:
        return None
    found = next(source.nodes_at(passage.span), None)
    return (source, found) if isinstance(found, ast.expr) else None


def _inside(passage: Passage) -> Passage | None:
    """What `softmax` or `sigmoid` is applied to, where the call itself is written there."""
    at = _node_at(passage)
    source, call = at if at is not None else (None, None)
    if source is None or not isinstance(call, ast.Call):
        return None
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if not any(word in name.lower() for word in (*SQUASHING, "clamp", "activation", "act")):
        return None
    if isinstance(call.func, ast.Attribute) and not _is_module(call.func.value):
        return source.passage(call.func.value)
    return source.passage(call.args[0]) if call.args else None


def _is_module(owner: ast.expr) -> bool:
    """Whether a call is `F.softmax(x)`, `self.softmax(x)`: what it acts on is its argument."""
    root = owner
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in ("torch", "F", "nn", "functional", "self")


def _item_of_list(built: Passage) -> Passage | None:
    """The layer with the comma before it, where it is one of several in a list of layers."""
    at = _node_at(built)
    if at is None:
        return None
    source, node = at
    above = source.parents.get(node)
    items = above.args if isinstance(above, ast.Call) else getattr(above, "elts", [])
    if node not in items or len(items) < 2:
        return None
    place = items.index(node)
    mine = source.span(node)
    if place:
        before = source.span(items[place - 1])
        span = Span(before.end_line, before.end_column, mine.end_line, mine.end_column)
    else:
        after = source.span(items[1])
        span = Span(mine.line, mine.column, after.line, after.column)
    lines = range(span.line, span.end_line + 1)
    shown = tuple((number, source.lines[number - 1].rstrip("\r\n")) for number in lines)
    return Passage(built.place, span, "", shown)


DETECT = dict.fromkeys(LOSSES, wrong_activation)
