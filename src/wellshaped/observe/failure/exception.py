"""From an exception and its frames to the one call that failed, with its tensors."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from wellshaped.contracts.registry import ROWS
from wellshaped.observe.failure.collating import observe_collate
from wellshaped.observe.failure.frame_names import frame_names
from wellshaped.observe.failure.loading import observe_loading
from wellshaped.observe.failure.modules import observe_module
from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.failure.packing import observe_packing
from wellshaped.observe.failure.plain_error import (
    act_at,
    observe_inside_library,
    observe_plain_error,
)
from wellshaped.observe.failure.rejected import observe_rejected
from wellshaped.observe.failure.reported_frames import observe_elsewhere, observe_reported
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.source import Passage
from wellshaped.source import (
    Scope,
    Stop,
    is_library,
    is_own,
    live_stops,
    operands_of_call,
    scope_of,
    stops,
)

_CAUGHT = (
    RuntimeError, ValueError, IndexError, TypeError, AssertionError, NotImplementedError,
    AttributeError, KeyError,
)  # fmt: skip
# Of these torch raises none by itself for a shape or a value: they are looked at last.
_OF_PYTHON = (AttributeError, KeyError, AssertionError)


@dataclass(frozen=True)
class Scene:
    """The innermost line of the user's, and what torch was doing when it stopped there."""

    stop: Stop
    inner: list[Stop]
    scope: Scope | None
    node: ast.expr | ast.AugAssign | None
    callers: tuple[Passage, ...]

    @property
    def passage(self) -> Passage:
        """The failing expression, or only its line where there is no source."""
        if self.scope is None or self.node is None:
            return Passage(self.stop.place)
        return self.scope.source.passage(self.node)


def observe_exception(
    error: BaseException, hazards: tuple[LossCall, ...] = ()
) -> Observation | None:
    """What failed; None when nothing of torch's did, or no tensor was in sight."""
    if not isinstance(error, _CAUGHT):
        return None
    chain = stops(error.__traceback__)
    scene = scene_of(chain)
    if scene is None:
        return None
    for look in _looks(error, scene, hazards):
        found = look(scene)
        if found is not None:
            text = str(error)
            return replace(
                found,
                error_type=type(error).__name__,
                error_text=text,
                frames=frame_names(chain),
            )
    return None


def _looks(
    error: BaseException, scene: Scene, hazards: tuple[LossCall, ...]
) -> Iterator[Callable[[Scene], Observation | None]]:
    """The readers of a failure, those first that know more of it."""
    yield _reported(error)
    if not (isinstance(error, _OF_PYTHON) and not scene.inner) and not _is_in_container(scene):
        yield from (_loss, _backward(hazards), _collate, _loading, _module, _packing, _operation)
    yield _plain_error
    misses = (AttributeError,) if scene.inner else (AttributeError, KeyError)
    if not isinstance(error, misses):
        yield from (_rejected, _inside_library)
    yield _elsewhere(error)


def scene_of(chain: list[Stop]) -> Scene | None:
    """The innermost frame of the user's program, with source and callers."""
    place = next((i for i in reversed(range(len(chain))) if not is_library(chain[i].file)), None)
    if place is None:
        return None
    stop, outer = chain[place], chain[:place]
    scope = scope_of(stop, outer)
    node = scope.source.at_instruction(stop.frame.f_code, stop.lasti) if scope else None
    callers = tuple(_shown(each) for each in reversed(outer) if not is_library(each.file))
    inner = [each for each in chain[place + 1 :] if not is_own(each.file)]
    return Scene(stop, inner, scope, node, callers)


def _shown(stop: Stop) -> Passage:
    scope = scope_of(stop, [])
    node = scope.source.at_instruction(stop.frame.f_code, stop.lasti) if scope else None
    return scope.source.passage(node) if scope and node is not None else Passage(stop.place)


def _loss(scene: Scene) -> Observation | None:
    for stop in scene.inner:
        row = ROWS.get(stop.name)
        held = stop.frame.f_locals
        if row is not None and row.tensors[0] in held and stop.file.endswith("functional.py"):
            return _observed_loss(scene, row.name, held)
        module = held.get("self")
        if isinstance(module, torch.nn.AdaptiveLogSoftmaxWithLoss) and "target_" in held:
            values = {"input": held["input_"], "target": held["target_"]}
            return _observed_loss(scene, "adaptive_log_softmax_with_loss", values)
    return None


def _observed_loss(scene: Scene, name: str, held: Mapping[str, Any]) -> Observation:
    row = ROWS[name]
    values = {role: held[role] for role in row.tensors if held.get(role) is not None}
    options = {key: value for key, value in held.items() if isinstance(value, (str, int, float))}
    return Observation(
        kind="loss",
        callee=name,
        label=_label(scene, name),
        passage=scene.passage,
        operands=operands_of_call(scene.node, scene.scope, values),
        options=options,
        callers=scene.callers,
    )


def _label(scene: Scene, name: str) -> str:
    """The name the user knows the loss by: the module's class, if one was called."""
    for stop in scene.inner:
        module = stop.frame.f_locals.get("self")
        called = isinstance(module, torch.nn.Module) and stop.name == "forward"
        if called and type(module).__name__ == ROWS[name].module:
            return ROWS[name].module
    return name


def observe_hazard(loss: str, held: Mapping[str, Any]) -> Observation | None:
    """A hazard seen by the guard, from the frames of the running call."""
    scene = scene_of(live_stops(sys._getframe(1)))
    return _observed_loss(scene, loss, held) if scene is not None else None


def _backward(hazards: tuple[LossCall, ...]) -> Callable[[Scene], Observation | None]:
    """A failure on the way back is the fault of a call that was accepted on the way there."""

    def look(scene: Scene) -> Observation | None:
        going_back = any(
            stop.name == "backward" and stop.file.endswith(("_tensor.py", "__init__.py"))
            for stop in scene.inner
        )
        if not going_back:
            return None
        for call in reversed(hazards):
            if call.verdict.backward == "raises" and call.observation is not None:
                return replace(call.observation, kind="backward", callers=(scene.passage,))
        return None

    return look


def _collate(scene: Scene) -> Observation | None:
    return observe_collate(scene.inner, scene.node, scene.scope, scene.passage, scene.callers)


def _loading(scene: Scene) -> Observation | None:
    calls = [(stop.name, stop.frame.f_locals) for stop in scene.inner]
    return observe_loading(calls, scene.passage, scene.callers)


def _module(scene: Scene) -> Observation | None:
    return observe_module(scene.inner, scene.node, scene.scope, scene.passage, scene.callers)


def _packing(scene: Scene) -> Observation | None:
    return observe_packing(scene.inner, scene.node, scene.scope, scene.passage, scene.callers)


def _operation(scene: Scene) -> Observation | None:
    if scene.scope is None or scene.node is None or _goes_through_call(scene):
        return None
    return observe_operation(scene.node, scene.scope, scene.passage, scene.callers)


def _goes_through_call(scene: Scene) -> bool:
    """Whether a loop or an unpacking stopped, and not the call that it takes its parts from."""
    if scene.scope is None or not isinstance(scene.node, ast.Call) or scene.inner:
        return False
    act = act_at(scene.stop.frame.f_code, scene.stop.lasti, scene.node, scene.scope)
    listed = isinstance(scene.node.func, ast.Attribute) and scene.node.func.attr == "tolist"
    return act is not None and act.name in ("iteration", "unpacking") and not listed


def _reported(error: BaseException) -> Callable[[Scene], Observation | None]:
    """A failure of a worker or a compiler, which hands over the text of its frames."""

    def look(scene: Scene) -> Observation | None:
        return observe_reported(
            error, scene.inner, scene.scope, scene.node, scene.callers, scene.passage
        )

    return look


def _elsewhere(error: BaseException) -> Callable[[Scene], Observation | None]:
    """The same where nothing is known of the tensors: the line alone."""

    def look(scene: Scene) -> Observation | None:
        return observe_elsewhere(error, scene.inner, scene.callers, scene.passage)

    return look


def _is_in_container(scene: Scene) -> bool:
    """Whether it is a list, a tuple or a dict that is indexed, or an entry of one; no tensor."""
    if scene.scope is None or not isinstance(scene.node, ast.Subscript) or scene.inner:
        return False
    value = scene.scope.value(scene.node.value)
    inside = isinstance(scene.node.value, ast.Subscript) and isinstance(value, (int, float, str))
    listed = isinstance(value, (list, tuple, dict)) and not isinstance(value, torch.Size)
    return inside or listed or _is_of_list(scene.node.value)


def _is_of_list(node: ast.expr) -> bool:
    """Whether an expression is, or is a part of, what `tolist()` or `item()` gave."""
    while isinstance(node, ast.Subscript):
        node = node.value
    method = node.func if isinstance(node, ast.Call) else None
    return isinstance(method, ast.Attribute) and method.attr in ("tolist", "item")


def _plain_error(scene: Scene) -> Observation | None:
    missing = [each.name for each in scene.inner] == ["__getattr__"]
    if scene.inner and not missing:
        return None
    return observe_plain_error(scene.stop, scene.node, scene.scope, scene.passage, scene.callers)


def _inside_library(scene: Scene) -> Observation | None:
    return observe_inside_library(scene.inner, scene.passage, scene.callers)


def _rejected(scene: Scene) -> Observation | None:
    return observe_rejected(scene.node, scene.scope, scene.inner, scene.passage, scene.callers)
