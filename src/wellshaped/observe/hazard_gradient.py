"""Asks, when a run is over, which parameters an optimizer held and no gradient ever reached."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any

from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from wellshaped.observe.lineage import Event, Lineage
from wellshaped.observe.source import source_of
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage

CUTS = ("detach", "data", "tensor", "item", "tolist", "numpy")
_MOST_NODES = 5000


def cut_here(event: Event) -> None:
    """Note the parameters behind a tensor that leaves the graph."""
    given = event.parents[0] if event.parents else None
    if given is None or not (given.learned and given.grad):
        return
    passage = event.trace.passage_here()
    key = ("cut", passage)
    event.trace.looked[key] += 1
    if event.trace.looked[key] > 2:
        return
    behind = event.trace.cuts.setdefault(passage, (event.name, given.shape, set()))[2]
    for count, node in enumerate(given.ancestors()):
        if count > _MOST_NODES:
            break
        if node.name == "parameter":
            behind.add(node.options["tensor"])


def went_back(event: Event) -> None:
    """Note that there was a backward pass, and from where."""
    if event.trace.went_back is None:
        event.trace.went_back = event.trace.passage_here()


def made_to_differ(event: Event) -> None:
    """Note a result that was told to take part in the gradient, and has no parameter in it."""
    if event.parents and not event.parents[0].learned and not event.node.shape:
        event.trace.told = event.trace.told or event.trace.passage_here()


@contextlib.contextmanager
def steps_noted(trace: Lineage) -> Iterator[None]:
    """Note at each step of an optimizer which of its parameters have a gradient."""

    def look(optimizer: Any) -> None:
        for each in (each for group in optimizer.param_groups for each in group["params"]):
            if each.requires_grad:
                key = id(each)
                trace.reached[key] = trace.reached.get(key, False) or each.grad is not None
                trace.steps[id(optimizer)].add(key)
                trace.held[key] = each  # as long as it lives nobody else has its id

    def before(optimizer: Any, given: Any, options: Any) -> None:
        look(optimizer)
        # A closure is the program's own: what it computes is followed like the rest.
        trace.paused = not any(map(callable, (*given, *options.values())))

    def after(optimizer: Any, *_: Any) -> None:
        look(optimizer)
        trace.paused = False

    hooks = (register_optimizer_step_pre_hook(before), register_optimizer_step_post_hook(after))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
    with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
        for found in _found(trace):
            trace.report(found)


def _found(trace: Lineage) -> Iterator[Observation]:
    if trace.went_back is None:
        return
    idle = {key for key, reached in trace.reached.items() if not reached}
    reported = False
    for passage, (name, shape, behind) in trace.cuts.items():
        held = behind & trace.reached.keys()
        if held and held <= idle:
            reported = True
            yield _observed(passage, name, shape, len(held))
    nothing = any(keys and keys <= idle for keys in trace.steps.values())
    if nothing and not reported:
        yield _observed(trace.told or trace.went_back, "nothing", (), len(idle))


def _observed(passage: Passage, name: str, shape: tuple[int, ...], count: int) -> Observation:
    facts: dict[str, Any] = {"hazard": "no_gradient", "cut": name, "parameters": count}
    inner = _inside(passage, name)
    operands = (Operand("input", TensorFact(shape), inner),) if inner is not None else ()
    return Observation("silent", name, name, passage, operands, facts)


def _inside(passage: Passage, name: str) -> Passage | None:
    """The tensor that is cut off, as it is written."""
    source = source_of(passage.place.file)
    node = next(source.nodes_at(passage.span), None) if source and passage.span else None
    if source is None:
        return None
    if isinstance(node, ast.Attribute) and node.attr == name:
        return source.passage(node.value)
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == name and name != "tensor":
        return source.passage(node.func.value)
    return source.passage(node.args[0]) if name == "tensor" and len(node.args) == 1 else None
