"""Follows every tensor of a running program: where it comes from, and what its axes are.

A mode of torch sees each call of its functions and methods. The record is a graph of nodes,
one for each tensor; detectors read it while the program runs, because the frames that
tell where an expression stands are there only then. See docs/decisions/0007-lineage.md.
"""

from __future__ import annotations

import contextlib
import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from wellshaped.contracts.registry import parameters
from wellshaped.execute import Loaders
from wellshaped.observe.failure.exception import Scene, observe_hazard, scene_of
from wellshaped.observe.trace.counterfactual import Counterfactuals
from wellshaped.observe.trace.gradients import Noted
from wellshaped.observe.trace.node import Atom, Axis, Node
from wellshaped.observe.trace.nodes import (
    field_node,
    made_node,
    root_node,
    rows_given,
    tensors_in,
)
from wellshaped.records.broadcast import Broadcast
from wellshaped.records.observation import Observation
from wellshaped.records.source import Passage, Place
from wellshaped.source.construction import constructed
from wellshaped.source.frames import is_library, live_stops
from wellshaped.source.internal_calls import in_internal_call, internal_calls

# Seconds of the processor that the record may take: with gradients (training), and without.
_MOST_SECONDS = (6.0, 3.0)
# A place that was looked at so often and was no fault is left alone.
_MOST_LOOKS = 2
_OPERATOR_NAMES = {"__rsub__": "rsub", "__rpow__": "pow", "__rdiv__": "div", "rtruediv": "div"}
_OPERATOR_NAMES |= {"__float__": "item", "__array__": "numpy"}
_SKIPPED = frozenset(("backward", "grad", "_set_grad_enabled"))
# Operations whose place a finding may have to name long after they ran.
PLACED = frozenset(
    "softmax log_softmax sigmoid clamp detach data tensor lstm gru rnn_tanh rnn_relu argmax max "  # noqa: SIM905 - a table
    "multi_head_attention_forward scaled_dot_product_attention".split()
)
# Ways out of torch: nothing comes back that a gradient could follow.
_WAYS_OUT = frozenset(("item", "tolist", "numpy", "__float__", "__array__"))
_GIVE_NO_TENSOR = _WAYS_OUT | {"__setitem__"}

__between_program_and_torch__ = True


# Operations that bring new sequences: what was computed of others before belongs to those.
_NEW_DATA = frozenset(("multinomial", "randint", "pad_sequence"))
_TOLD = frozenset(("tensor", "as_tensor"))


@dataclass(frozen=True, slots=True)
class Event:
    """One call of torch: its operands as nodes, in order, and the tensors behind them."""

    name: str
    node: Node
    parents: list[Node]
    tensors: list[torch.Tensor]
    args: tuple[Any, ...]
    given: tuple[Any, ...]
    options: Mapping[str, Any]
    result: Any
    trace: Lineage

    def argument(self, place: int, name: str, default: Any = None) -> Any:
        """An argument of the call, by position or by name."""
        return self.options.get(name, self.args[place] if place < len(self.args) else default)

    def loss_call(self) -> Observation | None:
        """The call of a loss as an observation, with the expressions of its operands."""
        names = [each.name for each in parameters(self.name)]
        held = dict(zip(names, self.args, strict=False)) | dict(self.options)
        return observe_hazard(self.name, held)

    def scene(self, detector: str) -> Scene | None:
        """Where the program stands; None where this detector has looked at it often enough."""
        frame = user_frame()
        key = (detector, frame.f_code, frame.f_lasti)
        self.trace.looked[key] += 1
        if self.trace.looked[key] > _MOST_LOOKS:
            return None
        return scene_of(live_stops(sys._getframe(1)))


@dataclass(frozen=True, slots=True)
class Failed:
    """A call of torch that raised: what was called, with what, and where its tensors come from."""

    func: Any
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    given: list[tuple[torch.Tensor, Node]]


# What it finds is an observation; a tracker only records something for later.
Detector = Callable[[Event], Observation | None]
Tracker = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A model that the program called has answered; `fits` is whether a copy of it may be tried."""

    module: torch.nn.Module
    called: tuple[tuple[Any, ...], Mapping[str, Any]]
    results: list[torch.Tensor]
    fits: bool


def user_frame() -> FrameType:
    """The innermost frame of the program."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


@dataclass
class Lineage:
    """The record of a run, and what the detectors found in it."""

    detectors: Mapping[str, tuple[Detector, ...]]
    gradients: Noted | None = None
    found: dict[tuple[str, str, int], Observation] = field(default_factory=dict)
    known: dict[int, tuple[Any, Node]] = field(default_factory=dict)
    spent: list[float] = field(default_factory=lambda: [0.0, 0.0])
    looked: Counter[Any] = field(default_factory=Counter)
    passages: dict[Any, Passage] = field(default_factory=dict)
    built: dict[Any, Passage | None] = field(default_factory=dict)
    lengths: dict[Atom, tuple[int, ...]] = field(default_factory=dict)
    masks: list[torch.Tensor] = field(default_factory=list)
    token_vectors: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)
    broadcasts: dict[Any, Broadcast] = field(default_factory=dict)
    paused: bool = False
    fetching: bool = False
    clock: int = 0
    fresh: int = 0
    counterfactuals: Counterfactuals = field(default_factory=Counterfactuals)
    on_model_call: list[Callable[[ModelCall], None]] = field(default_factory=list)
    failed: Failed | None = None  # the last call that failed
    on_new: Callable[[], None] = lambda: None  # called when something is found at a new place

    def watch(self, names: Iterable[str], detector: Detector) -> None:
        """Ask one more detector at these operations; `*` are all."""
        more = {name: (*self.detectors.get(name, ()), detector) for name in names}
        self.detectors = {**self.detectors, **more}

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What was found, one for each place."""
        return tuple(self.found.values())

    @property
    def ended(self) -> bool:
        """Whether the time for the record was over before the run was."""
        return any(spent >= most for spent, most in zip(self.spent, _MOST_SECONDS, strict=True))

    def node_of(self, tensor: torch.Tensor) -> Node:
        """The node of a tensor; a root where it is met for the first time."""
        entry = self.known.get(id(tensor))
        if entry is not None and entry[0]() is tensor:
            return entry[1]
        return self.keep(tensor, root_node(tensor))

    def tensors_of(self, node: Node) -> Iterator[torch.Tensor]:
        """The living tensor of a node, if there is one."""
        for reference, known in list(self.known.values()):
            tensor = reference() if known is node else None
            if tensor is not None:
                yield tensor

    def keep(self, tensor: torch.Tensor, node: Node) -> Node:
        """Remember the node of a tensor for as long as the tensor lives."""
        key = id(tensor)
        self.clock += 1
        node.born = self.clock

        def forget(reference: Any) -> None:
            entry = self.known.get(key)
            if entry is not None and entry[0] is reference:
                del self.known[key]

        self.known[key] = (weakref.ref(tensor, forget), node)
        return node

    def passage_here(self) -> Passage:
        """The expression of the program that is being computed."""
        return self.passage_of(user_frame())

    def passage_of(self, frame: FrameType) -> Passage:
        """The expression that a function of the program is computing."""
        key = (frame.f_code, frame.f_lasti)
        if key not in self.passages:
            scene = scene_of(live_stops(frame))
            place = Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
            self.passages[key] = scene.passage if scene is not None else Passage(place)
        return self.passages[key]

    def built_here(self) -> Passage | None:
        """Where the layer of torch that is computing was built, or the one it is part of."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and is_library(frame.f_code.co_filename):
            module = frame.f_locals.get("self")
            if isinstance(module, torch.nn.Module) and frame.f_code.co_name == "forward":
                found = self._built(module, frame)
                if found is not None:
                    return found
            frame = frame.f_back
        return None

    def _built(self, module: torch.nn.Module, frame: FrameType) -> Passage | None:
        key = (id(module), user_frame().f_lasti)
        if key not in self.built:
            scene = scene_of(live_stops(frame))
            found = constructed(module, scene.scope, scene.node, "") if scene else ()
            self.built[key] = next((each.passage for each in found if each.role == "built"), None)
        return self.built[key]

    def real_lengths(self, axis: Axis) -> tuple[int, ...]:
        """The real lengths along a padded axis; empty where nothing is padding."""
        if len(axis) != 1:
            return ()
        found = self.lengths.get(axis[0], axis[0].lengths)
        return found if found and min(found) < axis[0].size else ()

    def report(self, observation: Observation | None) -> None:
        """Keep what a detector found, once for each fault and place."""
        if observation is not None:
            place = observation.passage.place
            key = (_kind(observation), place.file, place.line)
            if self.found.setdefault(key, observation) is observation:
                self.on_new()

    def note(self, func: Any, args: Any, options: Mapping[str, Any], result: Any) -> None:
        """Record one call, and ask the detectors of its operation."""
        name = name_of(func)
        if name in _SKIPPED or (self.fetching and name != "pad_sequence"):
            return
        if name == "__setitem__":
            self._merge(args[0], [args[0], *tensors_in(args[2:])])
        outputs = _outputs(result)
        if name in _WAYS_OUT:
            node = self.node_of(args[0])
            left = Node(name, (), (), (node,), options={})
            self._detect(
                name, Event(name, left, [node], [args[0]], args, (), options, result, self)
            )
        if not outputs:
            return
        tensors, given = _taken_apart(args, options)
        in_place = [each for each in outputs if any(each is one for one in tensors)]
        if in_place and name != "requires_grad_":
            self._merge(in_place[0], tensors)
            if name in ("add_", "sub_", "mul_", "div_"):
                name = name[:-1]
        parents = [self.node_of(each) for each in tensors]
        site = None
        for output in outputs:
            if not in_place or name in self.detectors:
                node = made_node(name, output, parents, given, options, tensors)
                site = site or node
                if name in PLACED:
                    node.options["passage"] = self.passage_here()
                    node.options["built"] = self.built_here()
            if not in_place:
                self.keep(output, node)
            if name in _NEW_DATA or (not parents and len(output.shape) > 1 and name in _TOLD):
                self.fresh = self.clock
        if site is not None:
            self._detect(
                name, Event(name, site, parents, tensors, args, given, options, result, self)
            )

    def note_failure(self, func: Any, args: Any, options: Mapping[str, Any]) -> None:
        """A call has failed: keep what it was given."""
        tensors, _ = _taken_apart(args, options)
        pairs = [(each, self.node_of(each)) for each in tensors]
        self.failed = Failed(func, args, options, pairs)

    def _merge(self, target: torch.Tensor, tensors: list[torch.Tensor]) -> None:
        """A tensor changed in place descends from what was put into it."""
        own = self.node_of(target)
        others = tuple(self.node_of(each) for each in tensors if each is not target)
        if others and not isinstance(target, torch.nn.Parameter):
            node = Node("in_place", own.shape, own.axes, (own, *others), grad=target.requires_grad)
            self.keep(target, node)

    def _detect(self, name: str, event: Event) -> None:
        for detector in (*self.detectors.get(name, ()), *self.detectors.get("*", ())):
            with contextlib.suppress(Exception):  # one that fails must not silence the others
                self.report(detector(event))

    def fetch(self) -> None:
        """A loader makes a batch: of what happens inside only padding matters."""
        self.fetching = True

    def give(self, batch: Any, size: int | None, whole: int | None) -> None:
        """A loader gave a batch: its fields share their rows."""
        self.fetching = False
        rows = rows_given(batch, size)
        if rows is not None:
            shared = Atom(rows, "rows", Atom(whole, "rows") if whole else None, batch=True)
            self.fresh = self.clock
            for place, tensor in enumerate(tensors_in(batch)):
                self.keep(tensor, field_node(tensor, shared, place, self.known.get(id(tensor))))


def _kind(observation: Observation) -> str:
    facts = observation.facts
    return observation.callee if facts is None else type(facts).__name__


def name_of(func: Any) -> str:
    """The name of an operation, one for all the ways it is written."""
    name = getattr(func, "__name__", "")
    if name == "__get__":
        return str(getattr(func.__self__, "__name__", ""))
    name = _OPERATOR_NAMES.get(name, name)
    plain = name.strip("_") if name.startswith("__") and name != "__getitem__" else name
    return str(plain) if plain != "setitem" else "__setitem__"


def _outputs(result: Any) -> list[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [each for each in result if isinstance(each, torch.Tensor)]
    return []


def _taken_apart(
    args: tuple[Any, ...], options: Mapping[str, Any]
) -> tuple[list[torch.Tensor], tuple[Any, ...]]:
    """The tensors of a call in order, and its arguments after the first tensor or list of them."""
    tensors: list[torch.Tensor] = []
    for each in (*args, *options.values()):
        tensors += tensors_in(each) if type(each) in (tuple, list) else []
        if isinstance(each, torch.Tensor):
            tensors.append(each)
    given = args[1:] if args and type(args[0]) is not str else args
    return tensors, given


class _Mode(TorchFunctionMode):
    def __init__(self, trace: Lineage):
        super().__init__()
        self.trace = trace

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if in_internal_call():
            return func(*args, **options)
        trace = self.trace
        if not trace.paused:
            trace.counterfactuals.before(func, args, options)
        is_function = getattr(func, "__module__", None) == "torch.nn.functional"
        try:
            # A loss was judged on its way here.
            with internal_calls() if is_function else contextlib.nullcontext():
                result = func(*args, **options)
        except Exception:  # torch's own, whatever it is: it goes on to the program as it came
            with contextlib.suppress(Exception):
                if not trace.paused:
                    trace.note_failure(func, args, options)
            raise
        if not trace.paused:
            trace.counterfactuals.after(func, args, options, result)
        silent = getattr(func, "__name__", "") in _GIVE_NO_TENSOR
        if trace.paused or not (silent or isinstance(result, (torch.Tensor, tuple, list))):
            return result
        kind = 0 if torch.is_grad_enabled() else 1
        if trace.spent[kind] < _MOST_SECONDS[kind]:
            start = time.thread_time()
            with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
                trace.note(func, args, options, result)
            trace.spent[kind] += time.thread_time() - start
        return result


@contextlib.contextmanager
def traced(
    detectors: Mapping[str, tuple[Detector, ...]],
    loaders: Loaders | None = None,
    gradients: Noted | None = None,
) -> Iterator[Lineage]:
    """Follow every tensor inside the block, and the batches of its loaders."""
    trace = Lineage(detectors, gradients)
    if loaders is not None:
        loaders.listener = trace
    with _Mode(trace):
        yield trace
