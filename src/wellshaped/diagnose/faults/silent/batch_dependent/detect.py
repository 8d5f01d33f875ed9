"""Detects models whose result for a row depends on the batch around it, by trying them.

Where a program calls a model, a copy of it is run on the same rows among others and, where
rows are padded, with less padding. What differs is followed to the operation that made it so.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import torch

from wellshaped.contracts.registry import ROWS
from wellshaped.diagnose.faults.silent.batch_dependent import BatchDependent
from wellshaped.observe.trace.lineage import Event, Lineage, ModelCall
from wellshaped.observe.trace.node import Axis, Node, same_rows
from wellshaped.observe.trace.probe.divergence import ATTENTION, RECURRENT, RESHAPES, Made, culprit
from wellshaped.observe.trace.probe.inputs import Variation, variations
from wellshaped.observe.trace.probe.isolated_copy import draw_the_same, isolated_call
from wellshaped.observe.trace.probe.model_calls import tensors_of_result
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage
from wellshaped.source.internal_calls import internal_calls
from wellshaped.source.operands import argument_of, label_of

LOSSES = tuple(ROWS)
_MOST_SECONDS = 1.0
_MOST_PROBES = 2
_MOST_NODES = 200
_REDUCING = frozenset(("mean", "sum", "amax", "amin", "std", "var", "prod"))
# One way of changing the arguments takes so many calls of the model.
_CALLS = 5


@dataclass(frozen=True, slots=True)
class _Suspect:
    observation: Observation
    codes: frozenset[CodeType]
    rows: Axis
    certain: bool
    results: frozenset[Node]


@dataclass
class Probe:
    """The models a run called, what was tried with them, and what was found."""

    trace: Lineage
    spent: float = 0.0
    tried: Counter[Any] = field(default_factory=Counter)
    suspects: list[_Suspect] = field(default_factory=list)
    targets: list[Axis] = field(default_factory=list)
    results: set[Node] = field(default_factory=set)
    used: set[Node] = field(default_factory=set)

    def probe(self, call: ModelCall) -> None:
        """A model has answered: try it, if it was not tried often enough."""
        if call.fits and self.tried[type(call.module)] < _MOST_PROBES:
            self._try(call.module, call.called, call.results)

    def target(self, event: Event) -> None:
        """Note which axis counts the rows of a loss, where its target was made row by row."""
        target = event.parents[1] if len(event.parents) > 1 else None
        if target is not None and not target.learned and target.axes and _is_by_row(target):
            self.targets.append(target.axes[0])

    def use(self, event: Event) -> None:
        """Note which of the results that differ the program goes on with."""
        if self.results:
            self.used.update(self.results.intersection(event.parents))

    def _try(self, module: torch.nn.Module, called: Any, results: list[torch.Tensor]) -> None:
        with internal_calls(), isolated_call(self.trace):
            found = list(variations(self.trace, called))
            if not found:
                return
            self.tried[type(module)] += 1
            twin = copy.deepcopy(module).eval()
            for each in found:
                if each.certain or not _knows_rows(module, each.rows[0].size):
                    begun = time.thread_time()
                    self._vary(twin, each, results)
                    self.spent += time.thread_time() - begun

    def _vary(
        self, twin: torch.nn.Module, variation: Variation, results: list[torch.Tensor]
    ) -> None:
        def run(called: Any) -> list[torch.Tensor]:
            draw_the_same()
            args, options = copy.deepcopy(called)
            return tensors_of_result(twin(*args, **options))

        begun = time.thread_time()
        before = run(variation.before)
        most = self.spent + _CALLS * (time.thread_time() - begun)
        if most > _MOST_SECONDS or not any(variation.out(each) for each in before):
            return
        again, after = run(variation.before), run(variation.after)
        if not len(before) == len(after) == len(results) or not all(map(_is_same, before, again)):
            return  # it remembers, or draws
        triples = zip(before, after, results, strict=True)
        unlike = [c for a, b, c in triples if variation.out(a) and not variation.alike(a, b)]
        if not unlike:
            return
        found = culprit(run, self.trace, variation.before, variation.after, variation.alike)
        named = _named(variation.kind, found[0]) if found else None
        if found is None or named is None or found[0].passage is None:
            return
        seen = _observed(found[0], found[0].passage, named, variation.rows)
        nodes = frozenset(self.trace.node_of(each) for each in unlike)
        self.results |= nodes
        self.suspects.append(_Suspect(seen, found[1], variation.rows, variation.certain, nodes))

    def conclude(self) -> None:
        """Report what no other detector found a reason for."""
        told = list(self.trace.found.values())
        for each in self.suspects:
            sure = each.certain or any(same_rows(axis, each.rows) for axis in self.targets)
            sure = sure and bool(self.used & each.results)
            if sure and not any(_is_within(one, each) for one in told):
                self.trace.report(each.observation)
                return


def _named(kind: str, made: Made) -> str | None:
    """Which fault an operation is; None for one that may mix rows, or read padding, by design."""
    if kind == "padding":
        if made.name in RECURRENT:
            return "padded_state" if made.part else "padded_backward"
        return "padded_attention" if made.name in ATTENTION or made.name == "softmax" else None
    if made.name in RESHAPES:
        return "reshaped"
    if len(made.given) != 3 or 1 in made.given:
        return None  # one sequence, made of the rows
    if made.name in RECURRENT:
        return "recurrent"
    return "attention" if made.name in ATTENTION else None


def _observed(made: Made, passage: Passage, found: str, rows: Axis) -> Observation:
    turned = made.name in ATTENTION  # the layer may have moved axes before it came here
    fact = None if turned else TensorFact(made.given)
    operands = [Operand("input", fact, argument_of(passage))]
    if made.built is not None:
        operands.append(Operand("built", None, made.built))
    label = label_of(passage, made.built, made.name)
    facts = BatchDependent(found=found, rows=rows[0].size, shape=made.given)
    return Observation("silent", made.name, label, passage, tuple(operands), facts=facts)


def _is_within(told: Observation, suspect: _Suspect) -> bool:
    """Whether something was found in the code the suspect passed."""
    places = [told.passage.place, *(each.passage.place for each in told.operands if each.passage)]
    for code in suspect.codes:
        lines = [line for _, _, line in code.co_lines() if line]
        for place in places:
            if place.file == code.co_filename and min(lines) <= place.line <= max(lines):
                return True
    return False


def _is_by_row(target: Node) -> bool:
    """Whether each row has one number, or got its numbers from all of its own places."""
    if len(target.shape) == 1 or target.shape[1:] == (1,):
        return True
    rows = target.axes[0]
    for node in itertools.islice(target.ancestors(), _MOST_NODES):
        given = node.parents[0] if node.name in _REDUCING and node.parents else None
        if given is not None and len(given.shape) > 1 and same_rows(given.axes[0], rows):
            return bool(node.axes) and node.axes[0] == given.axes[0]
    return False


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, equal_nan=True)


def _knows_rows(module: torch.nn.Module, size: int) -> bool:
    """Whether it holds tables as large as the rows, as of the edges of one graph."""
    for each in module.modules():
        held = [*each._buffers.values(), *vars(each).values()]
        if any(isinstance(one, torch.Tensor) and size in one.shape for one in held):
            return True
    return False


@contextlib.contextmanager
def probe_models(trace: Lineage) -> Iterator[None]:
    """Try the models that are called inside the block, and report at its end."""
    probe = Probe(trace)
    trace.watch(LOSSES, probe.target)
    trace.watch(("*",), probe.use)
    trace.on_model_call.append(probe.probe)
    yield
    with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
        probe.conclude()


FOLLOW = (probe_models,)
LAST = True  # it reports what no other detector found a reason for
