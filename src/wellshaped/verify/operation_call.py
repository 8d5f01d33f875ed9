"""Replays an operation of the user's line, repaired, on synthetic tensors."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Mapping
from math import prod
from typing import Any

import torch

from wellshaped.contracts.rounding import fine, near
from wellshaped.records.evidence import Evidence, Outcome, Trial
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair

_MOST_ELEMENTS = 4_000_000
_MOST_ROWS = 16
_LISTS = ("cat", "concat", "concatenate", "stack", "hstack", "vstack")
# `index` is an operator; the rest are methods and functions of the same name.
_NOT_CALLS = ("iter", "len", "unpack", "backward")


def try_operation_repair(observation: Observation, repair: Repair) -> Evidence:
    """The repaired operation at B = 1, 2, 3 and as observed.

    A change of a tensor is a method call behind it; a change of `argument 1`, `dim` or
    `callee` is the new value. Equal is a result whose rows are those of the rows alone.
    """
    batch = _batch(observation)
    elements = sum(prod(each.shape) for each in observation.operands)
    if (
        batch is None
        or elements > _MOST_ELEMENTS
        or not repair.changes
        or observation.callee in _NOT_CALLS
    ):
        return Evidence(repair, ())
    sizes = sorted({1, 2, 3, batch})
    return Evidence(
        repair, tuple(Trial(size, _outcome(observation, repair, batch, size)) for size in sizes)
    )


def _batch(observation: Observation) -> int | None:
    """The number of rows: the leading size most tensors of the highest rank share."""
    leading = [each.shape[0] for each in observation.operands if each.shape]
    unknown = any(each.fact is None for each in observation.operands)
    return None if unknown or not leading or 0 in leading else max(leading, key=leading.count)


def _outcome(observation: Observation, repair: Repair, batch: int, size: int) -> Outcome:
    generator = torch.Generator().manual_seed(size)
    made = {
        each.role: _filled(each, _resized(each.shape, batch, size), generator)
        for each in observation.operands
    }
    given = {each.role for each in observation.operands if each.shape[:1] == (batch,)}
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            _result(observation, repair, made, finely=False)  # another dtype is refused here
            whole = _result(observation, repair, made, finely=True)
            rows = [
                _result(observation, repair, _row(made, given, place), finely=True)
                for place in range(min(size, _MOST_ROWS))
            ]
    except Exception:  # a repair that raises is refused, for whatever reason
        return "refused"
    return _compared(whole, rows, size)


def _resized(shape: tuple[int, ...], batch: int, size: int) -> tuple[int, ...]:
    return (size, *shape[1:]) if shape[:1] == (batch,) else shape


def _row(made: Mapping[str, torch.Tensor], given: set[str], place: int) -> dict[str, torch.Tensor]:
    return {
        role: tensor[place : place + 1] if role in given else tensor
        for role, tensor in made.items()
    }


def _compared(whole: Any, rows: list[Any], size: int) -> Outcome:
    plain = all(isinstance(each, torch.Tensor) for each in (whole, *rows))
    if not plain or whole.dim() == 0 or any(each.dim() == 0 for each in rows):
        return "runs"
    if whole.shape[0] != size or any(each.shape != (1, *whole.shape[1:]) for each in rows):
        return "runs"
    return "equal" if near(whole[: len(rows)], torch.cat(rows)) else "differs"


def _filled(operand: Operand, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    assert operand.fact is not None
    dtype = getattr(torch, operand.fact.dtype)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.rand(shape, generator=generator).to(dtype)
    return torch.randint(2, shape, generator=generator).to(dtype)


def _result(
    observation: Observation, repair: Repair, made: Mapping[str, torch.Tensor], *, finely: bool
) -> Any:
    changes = {change.role: change.suffix for change in repair.changes}
    # An operation in place would write into what its rows are taken from.
    copies = {role: each.clone() for role, each in (fine(made) if finely else made).items()}
    tensors = {role: _changed(each, changes.get(role, "")) for role, each in copies.items()}
    tensors = fine(tensors) if finely else tensors
    callee = changes.get("callee", observation.callee)
    callee += "_" if observation.options.get("inplace") else ""
    arguments, options = _arguments(observation, changes, tensors)
    if callee == "index":
        return operator.getitem(tensors["input"], _key(observation, tensors))
    if "input" in tensors and callee not in _LISTS:
        return getattr(tensors["input"], callee)(*arguments, **options)
    owner = torch if hasattr(torch, callee) else torch.nn.functional
    return getattr(owner, callee)(*arguments, **options)


def _changed(tensor: torch.Tensor, suffix: str) -> Any:
    # Our own text, made of method names and numbers: never the user's.
    return eval(f"x{suffix}", {"__builtins__": {}}, {"x": tensor})


def _arguments(
    observation: Observation, changes: Mapping[str, str], tensors: Mapping[str, torch.Tensor]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments in their order, tensors put back where they stood."""
    given = observation.options.get("args")
    if given is None:
        return [each for role, each in tensors.items() if role != "input"], {}
    arguments: list[Any] = []
    for place, value in enumerate(given):
        role = f"argument {place}"
        if role in tensors:
            value = tensors[role]
        elif role in changes:
            value = ast.literal_eval(changes[role])
        elif place == 0 and observation.callee in _LISTS:
            value = list(tensors.values())
        elif place == 0:
            value = _rebatched(observation, value, len(tensors["input"]))
        elif value is None:
            raise ValueError(role)
        elif "dim" in changes:
            continue
        arguments.append(value)
    skip = ("args", "inplace")
    options = {
        name: value
        for name, value in observation.options.items()
        if name not in skip and not name.startswith(("argument ", "tensors["))
    }
    options |= {name: each for name, each in tensors.items() if name.isidentifier()}
    options |= {name: ast.literal_eval(changes[name]) for name in changes if name == "dim"}
    options.pop("input", None)
    return arguments, options


def _rebatched(observation: Observation, value: Any, size: int) -> Any:
    """A leading size that the program reads from its tensors follows the batch; a number stays."""
    first, *rest = value if isinstance(value, tuple) else (value,)
    batch = _batch(observation)
    call = ast.parse(observation.passage.text, mode="eval").body
    written = call.args[0] if isinstance(call, ast.Call) and call.args else None
    if isinstance(written, (ast.Tuple, ast.List)) and written.elts:
        written = written.elts[0]
    if first == batch and not isinstance(written, ast.Constant):
        first = size
    return (first, *rest) if isinstance(value, tuple) else first


def _key(observation: Observation, tensors: Mapping[str, torch.Tensor]) -> tuple[Any, ...]:
    """A mask or a number is known; a slice is not, and takes its whole axis."""
    known = {**observation.options, **tensors}
    places = sum(name.startswith("axis ") for name in observation.options)
    return tuple(known.get(f"index {place}", slice(None)) for place in range(places))
