"""Records what a run does to train: backward passes, steps of optimizers, and cuts of the graph.

A cut is a call whose result carries no gradient though what it was given does. Which cut keeps
a gradient from a parameter is told at the end of the run, by the detector of `no_gradient`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch

from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.node import Node
from wellshaped.observe.trace.nodes import tensors_in
from wellshaped.records.source import Passage
from wellshaped.source.frames import callers_of
from wellshaped.source.no_grad_blocks import enclosing_no_grad

# Cuts that are asked for by name; any other is a block without gradients, or has no derivative.
ASKED_FOR = ("detach", "detach_", "data", "tensor")
DRAWS = ("multinomial", "bernoulli", "poisson", "normal")
WAYS_OUT = ("item", "tolist", "numpy")
_MOST_LOSSES = 3
_MOST_HELD = 200
_MOST_DRAWS = 20


@dataclass(slots=True)
class WayOut:
    """A place where values left torch: the node they left from, and how many they were."""

    kind: str
    node: Node
    passage: Passage
    numbers: int = 0
    rows: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a backward pass started from, and what left and came back on the way to it.

    `error` is what torch raised where it refused the pass.
    """

    node: Node
    passage: Passage
    ways_out: tuple[WayOut, ...]
    arrivals: frozenset[Node]
    error: Exception | None = None


@dataclass(slots=True)
class Weight:
    """A parameter that an optimizer holds, until a gradient comes, and what it was at first."""

    held: torch.Tensor | None
    name: str
    first: float
    node: Node | None = None

    @property
    def reached(self) -> bool:
        """Whether a gradient came."""
        return self.held is None

    @property
    def left_alone(self) -> bool:
        """Whether it wants a gradient, never got one, and nobody else changed it."""
        held = self.held
        return held is not None and held.requires_grad and _summed(held) == self.first

    def look(self, trace: Lineage) -> None:
        """Let go of it where it has a gradient."""
        if self.held is not None:
            entry = trace.known.get(id(self.held))
            self.node = entry[1] if entry is not None else self.node
            self.held = None if self.held.grad is not None else self.held


@dataclass(slots=True)
class Optimizer:
    """An optimizer that took steps, and the first losses before them."""

    weights: dict[int, Weight] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    def look(self, trace: Lineage) -> None:
        """Let go of the parameters that have a gradient."""
        for each in self.weights.values():
            each.look(trace)


class Training:
    """What is noted while a program runs; it listens to a trace and to backward passes."""

    def __init__(self, trace: Lineage):
        self.trace = trace
        self.optimizers: dict[int, Optimizer] = {}
        self.aliases: dict[Node, Node] = {}
        self._roots: dict[Node, None] = {}
        self._fresh: set[Node] = set()
        self._ways_out: dict[Any, WayOut] = {}
        self._cut_storages: dict[int, tuple[torch.Tensor, Node]] = {}
        self._losses: list[Loss] = []
        self._stepped = False
        self.draws: list[Node] = []
        self._off: dict[Any, Passage | None] = {}

    def notice(self, event: Event) -> None:
        """Asked of every call: does it cut the graph, and is what it was given new?"""
        for parent, tensor in zip(event.parents, event.tensors, strict=False):
            if not parent.parents and parent not in self._roots:
                self._meet(parent, tensor)
        if not event.parents and event.name in ("tensor", "as_tensor"):
            self._meet(event.node, event.result)
            event.node.options.setdefault("passage", self.trace.passage_here())
        if event.name in DRAWS and len(self.draws) < _MOST_DRAWS:
            self.draws.append(event.node)
        if event.name in WAYS_OUT:
            self._leave(event)
        elif (event.name in ASKED_FOR or not event.node.grad) and any(
            each.requires_grad for each in event.tensors
        ):
            self._cut(event, event.node)

    def patch(self, event: Event) -> None:
        """Asked of `requires_grad_` and `detach_`, which change the tensor they are called of."""
        own = event.parents[0]
        if event.name == "detach_":
            if own.grad:
                self._cut(event, own)
        elif own.parents:
            own.options["patched"] = self.trace.passage_here()

    def _cut(self, event: Event, node: Node) -> None:
        blocked = not torch.is_grad_enabled()
        kind = "no_grad" if blocked else "values"
        node.options["cut"] = event.name if event.name in ASKED_FOR else kind
        node.options["passage"] = self._switched_off() if kind == "no_grad" else None
        node.options["passage"] = node.options["passage"] or self.trace.passage_here()
        if isinstance(event.result, torch.Tensor):
            self._hold(event.result, node)

    def _switched_off(self) -> Passage | None:
        """The expression of the innermost function that stands where gradients are off."""
        frames = list(callers_of(user_frame()))
        key = tuple((each.f_code, each.f_lasti) for each in frames)
        if key not in self._off:
            passages = map(self.trace.passage_of, frames)
            self._off[key] = next((each for each in passages if enclosing_no_grad(each)), None)
        return self._off[key]

    def _hold(self, tensor: torch.Tensor, node: Node) -> None:
        if len(self._cut_storages) < _MOST_HELD:
            self._cut_storages[tensor.untyped_storage().data_ptr()] = (tensor, node)

    def _leave(self, event: Event) -> None:
        node, tensor = event.parents[0], event.tensors[0]
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        if key not in self._ways_out:
            place = self.trace.passage_here()
            self._ways_out[key] = WayOut(event.name, node, place)
        self._ways_out[key].numbers += tensor.numel()
        self._ways_out[key].rows.update(tensor.shape[:1])
        if event.name == "numpy":
            self._hold(tensor, node)

    def _meet(self, root: Node, tensor: Any) -> None:
        """A tensor that comes from nowhere; perhaps it shares memory with one that was cut off."""
        self._roots[root] = None
        self._fresh.add(root)
        if not isinstance(tensor, torch.Tensor) or not tensor.numel():
            return
        held = self._cut_storages.get(tensor.untyped_storage().data_ptr())
        if held is not None and held[0].numel():
            self.aliases[root] = held[1]

    def backward(self, losses: Any) -> None:
        """Called after a backward pass."""
        if self._stepped:
            self._losses, self._stepped = [], False
        passage = self.trace.passage_here()
        left, fresh = tuple(self._ways_out.values()), frozenset(self._fresh)
        for tensor in tensors_in(losses):
            self._losses.append(Loss(self.trace.node_of(tensor), passage, left, fresh))
        for optimizer in self.optimizers.values():
            optimizer.look(self.trace)
        self._ways_out, self._fresh, self._cut_storages = {}, set(), {}

    def refused(self, losses: Any, error: Exception) -> None:
        """Called after a backward pass that torch refused: a loss without a gradient ends the run.

        The parameters that it was made from stand for those of an optimizer.
        """
        for tensor in tensors_in(losses):
            if not tensor.requires_grad:
                node, passage = self.trace.node_of(tensor), self.trace.passage_here()
                left, fresh = tuple(self._ways_out.values()), frozenset(self._fresh)
                loss = Loss(node, passage, left, fresh, error)
                above = {each for each in self.ancestors(loss.node) if each.name == "parameter"}
                held = [each for each in self._tensors() if each[1] in above]
                names = _names([each for each, _ in held])
                weights = {
                    id(each): Weight(each, names.get(id(each), ""), _summed(each), node)
                    for each, node in held
                    if each.requires_grad
                }
                self.optimizers[id(loss)] = Optimizer(weights, [loss])

    def _tensors(self) -> Iterator[tuple[torch.Tensor, Node]]:
        """The living tensors of the record."""
        for reference, node in list(self.trace.known.values()):
            tensor = reference()
            if tensor is not None:
                yield tensor, node

    def before_step(self, optimizer: torch.optim.Optimizer, *, closure: bool) -> None:
        """Called before an optimizer takes a step: what it computes is not the program's."""
        self._look(optimizer)
        self.trace.paused = not closure

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Called after a step; with a closure there was a backward pass inside."""
        self.trace.paused = False
        self._look(optimizer)

    def _look(self, optimizer: torch.optim.Optimizer) -> None:
        self._stepped = True
        record = self.optimizers.setdefault(id(optimizer), Optimizer())
        if len(record.losses) < _MOST_LOSSES:
            record.losses += [each for each in self._losses if each not in record.losses]
        fresh = [
            each
            for group in optimizer.param_groups
            for each in group["params"]
            if id(each) not in record.weights
        ]
        names = _names(fresh) if fresh else {}
        for each in fresh:
            name = names.get(id(each), "")
            record.weights[id(each)] = Weight(each, name, _summed(each))
        record.look(self.trace)

    def parents(self, node: Node) -> tuple[Node, ...]:
        """What a node was made of, also where it left the record and came back by its memory."""
        alias = self.aliases.get(node)
        return node.parents if alias is None else (*node.parents, alias)

    def ancestors(self, node: Node) -> Iterator[Node]:
        """A node and all it was made of, the nearest first."""
        seen: dict[Node, None] = {}
        level = [node]
        while level:
            fresh = [each for each in dict.fromkeys(level) if each not in seen]
            seen.update(dict.fromkeys(fresh))
            yield from fresh
            level = [parent for each in fresh for parent in self.parents(each)]


def _summed(tensor: torch.Tensor) -> float:
    with torch.no_grad(), torch._C.DisableTorchFunction():
        return float(tensor.detach().double().abs().sum())


def _names(parameters: list[torch.Tensor]) -> dict[int, str]:
    """The names of parameters as the program would spell them: `model.encoder.weight`."""
    wanted, found = {id(each) for each in parameters}, dict[int, str]()
    frame: FrameType | None = user_frame()
    while frame is not None and not wanted <= found.keys():
        for name, value in (*frame.f_locals.items(), *frame.f_globals.items()):
            if isinstance(value, torch.nn.Module):
                for path, each in value.named_parameters():
                    if id(each) in wanted:
                        found.setdefault(id(each), f"{name}.{path}")
        frame = frame.f_back
    return found
