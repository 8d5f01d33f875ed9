"""Records the shape of every expression of a running program that gives a tensor, and of layers.

Each call of torch that the program makes itself is seen by a mode, and each call of a module by
a hook; the expression is that of the program's own frame. Variables are read from the frame where
an expression uses them: what came back from other functions is seen there.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode

from wellshaped.observe.trace.lineage import name_of, user_frame
from wellshaped.observe.trace.probe.model_calls import tensors_of_result
from wellshaped.records.shape import TensorFact
from wellshaped.records.shapes import (
    ExpressionShapes,
    LayerShapes,
    ModelShapes,
    StepShapes,
    Tensors,
)
from wellshaped.records.source import Passage, Place
from wellshaped.source import Source, in_internal_call, is_library, source_of

__between_program_and_torch__ = True

# Different shapes of one expression that are kept, and evaluations of it that are looked at.
_MOST_SHAPES = 4
_MOST_VISITS = 200
_MOST_TENSORS = 4
_SKIPPED = frozenset(("backward", "grad", "_set_grad_enabled", "requires_grad_", "is_leaf"))
# Their functions hand a call over to torch as it is, and return what it gave.
_WRAPPERS = frozenset(
    ("torch.functional", "torch.nn.functional", "torch._tensor", "torch._jit_internal")
)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

Key = tuple[CodeType, int]


@dataclass
class _Expression:
    """What is known of an instruction: its place in the source, and the shapes that it gave."""

    passage: Passage
    name: str
    assigned: bool
    names: dict[str, Passage]
    seen: list[Tensors] = field(default_factory=list)
    visits: int = 0

    def add(self, tensors: Tensors) -> None:
        """Keep the shapes of one evaluation if they are new."""
        if tensors and tensors not in self.seen and len(self.seen) < _MOST_SHAPES:
            self.seen.append(tensors)

    def record(self) -> ExpressionShapes:
        """The same as a record."""
        return ExpressionShapes(self.passage, self.name, tuple(self.seen), self.assigned)


@dataclass
class ShapeRecord:
    """The shapes of a run as they come."""

    expressions: dict[Key | tuple[Key, str], _Expression] = field(default_factory=dict)
    models: dict[int, ModelShapes] = field(default_factory=dict)
    _here: Key | None = None
    _pending: Tensors = ()
    _calls: list[dict[int, tuple[Tensors, Tensors]]] = field(default_factory=list)

    def result(self) -> StepShapes:
        """All that was seen."""
        self._settle(None)
        found = (each.record() for each in self.expressions.values() if each.seen)
        return StepShapes(tuple(_without_repetition(found)), tuple(self.models.values()))

    def note(self, frame: FrameType, tensors: Tensors) -> None:
        """An expression of the program is being computed; what it gave last counts."""
        if is_library(frame.f_code.co_filename) or not tensors:
            return
        key = frame.f_code, frame.f_lasti
        if key != self._here:
            self._settle(key)
            self._begin(key, frame)
        self._pending = tensors

    def _begin(self, key: Key, frame: FrameType) -> None:
        expression = self.expressions.get(key) or _expression_at(frame)
        expression.visits += 1
        if expression.names and expression.visits <= _MOST_VISITS:
            self._use(key, expression.names, {**frame.f_globals, **frame.f_locals})
        self.expressions.setdefault(key, expression)  # after the variables that it uses

    def _use(self, key: Key, names: Mapping[str, Passage], values: Mapping[str, Any]) -> None:
        """An expression uses variables."""
        for name, passage in names.items():
            if isinstance(values.get(name), torch.Tensor):
                used = _Expression(passage, name, False, {})
                self.expressions.setdefault((key, name), used).add((_fact(values[name]),))

    def _settle(self, key: Key | None) -> None:
        """Another expression begins: what the last one gave is known."""
        if self._here is not None:
            self.expressions[self._here].add(self._pending)
        self._here, self._pending = key, ()

    def enter(self) -> None:
        """A module is called."""
        if not self._calls:
            self._calls.append({})
        self._calls.append({})

    def leave(self, module: torch.nn.Module, given: Any, result: Any) -> None:
        """A module has answered; the outermost one is a model of the program."""
        outputs = _facts(tensors_of_result(result))
        self.note(user_frame(), outputs)
        self._calls.pop()
        first = self._calls[0]
        first.setdefault(id(module), (_facts(tensors_of_result(given)), outputs))
        if len(self._calls) > 1:
            return
        self._calls.clear()
        if id(module) not in self.models and any(True for _ in module.parameters()):
            self.models[id(module)] = _model(module, first)


def _without_repetition(found: Iterable[ExpressionShapes]) -> Iterator[ExpressionShapes]:
    """The same without variables that a function shows again as they were."""
    shown: dict[tuple[str, str, str], tuple[Tensors, ...]] = {}
    for each in found:
        place = each.passage.place
        key = place.file, place.function, each.name
        is_variable = each.assigned or each.name.isidentifier()
        if each.assigned or shown.get(key) != each.seen:
            yield each
        if is_variable:
            shown[key] = each.seen


def _model(root: torch.nn.Module, seen: Mapping[int, tuple[Tensors, Tensors]]) -> ModelShapes:
    frame = user_frame()
    place = Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    layers = tuple(
        LayerShapes(
            path, type(each).__name__, *seen[id(each)], sum(w.numel() for w in each.parameters())
        )
        for path, each in root.named_modules()
        if id(each) in seen
    )
    return ModelShapes(place, layers)


def _expression_at(frame: FrameType) -> _Expression:
    code = frame.f_code
    place = Place(code.co_filename, frame.f_lineno, code.co_name)
    source = source_of(code.co_filename)
    node = source.at_instruction(code, frame.f_lasti) if source is not None else None
    if source is None or node is None:
        return _Expression(Passage(place), "", False, {})
    target = _target_of(source, node)
    return _Expression(
        source.passage(node),
        target or source.text(node),
        bool(target),
        {each.id: source.passage(each) for each in _names_in(source, node)},
    )


def _target_of(source: Source, node: ast.AST) -> str:
    """The variable that takes the value of an expression; empty where there is not one."""
    above = source.parents.get(node)
    if isinstance(node, ast.AugAssign):
        return source.text(node.target)
    if isinstance(above, ast.AnnAssign) and above.value is node:
        return source.text(above.target)
    if isinstance(above, ast.Assign) and above.value is node and len(above.targets) == 1:
        return source.text(above.targets[0])
    return ""


def _names_in(source: Source, node: ast.AST) -> Iterator[ast.Name]:
    """The variables that an expression uses, where it is evaluated in its own scope."""
    above: ast.AST | None = node
    while above is not None and not isinstance(above, ast.stmt):
        if isinstance(above, _SCOPES):
            return
        above = source.parents.get(above)
    if not isinstance(above, _SIMPLE):
        return
    seen = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in seen:
            seen.add(each.id)
            yield each


def _facts(tensors: list[torch.Tensor]) -> Tensors:
    return tuple(_fact(each) for each in tensors[:_MOST_TENSORS])


def _fact(tensor: torch.Tensor) -> TensorFact:
    return TensorFact(tuple(tensor.shape), tensor.dtype)


def _tensors_in(result: Any) -> list[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        return [result]
    return tensors_of_result(result) if isinstance(result, (tuple, list)) else []


def _direct_caller() -> FrameType | None:
    """The frame of the program if it called torch itself; None where a library did."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and is_library(frame.f_code.co_filename):
        name = frame.f_globals.get("__name__")
        if name not in _WRAPPERS and name != "torch.overrides":
            return None
        frame = frame.f_back
    return frame


def _is_ours() -> bool:
    return in_internal_call() or threading.current_thread() is not threading.main_thread()


class _Mode(TorchFunctionMode):
    def __init__(self, record: ShapeRecord):
        super().__init__()
        self.record = record

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if not _is_ours() and name_of(func) not in _SKIPPED:
            with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
                frame = _direct_caller()
                if frame is not None:
                    self.record.note(frame, _facts(_tensors_in(result)))
        return result


@contextlib.contextmanager
def recorded_shapes() -> Iterator[ShapeRecord]:
    """Record the shapes of what is computed inside the block."""
    record = ShapeRecord()

    def enter(module: torch.nn.Module, args: Any) -> None:
        if not _is_ours():
            record.enter()

    def leave(module: torch.nn.Module, args: Any, result: Any) -> None:
        if not _is_ours():
            with contextlib.suppress(Exception):
                record.leave(module, args, result)

    before = register_module_forward_pre_hook(enter)
    after = register_module_forward_hook(leave, always_call=True)
    try:
        with _Mode(record):
            yield record
    finally:
        before.remove()
        after.remove()
