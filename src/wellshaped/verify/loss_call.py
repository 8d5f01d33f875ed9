"""Replays a loss call, repaired, on synthetic tensors at several batch sizes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import torch

from wellshaped.contracts.judge import judge
from wellshaped.contracts.questions import WITHOUT_ROWS, losses
from wellshaped.contracts.registry import ROWS, functional, parameters
from wellshaped.contracts.rounding import fine, share
from wellshaped.records.evidence import HARMFUL, Evidence, Outcome, Trial
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.verify.rows import aligns, kept, row_axis, rows_apart

_LONG = 12


def try_repair(
    observation: Observation, repair: Repair, *, reference: Repair | None = None
) -> Evidence:
    """The repaired call at B = 1, at two sizes that equal no other axis, and as observed.

    Each must equal the sum of its rows, taken one by one with the repair that is known to
    be right: `reference`, or this one itself.
    """
    small = shrunk(observation)
    rows = reference or repair
    trials = (Trial(size, _outcome(small, repair, rows, size)) for size in batch_sizes(small))
    return Evidence(repair, tuple(trials))


def shrunk(observation: Observation) -> Observation:
    """The same call with long axes cut short: equal sizes stay equal, others stay apart."""
    sizes = {size for each in observation.operands for size in each.shape[1:]}
    taken = {size for size in sizes if size <= _LONG}
    free = (size for size in count(_LONG + 1) if size not in taken)
    short = {size: next(free) if size > _LONG else size for size in sorted(sizes)}
    operands = tuple(_with_sizes(each, short) for each in observation.operands)
    return replace(observation, operands=operands)


def _with_sizes(operand: Operand, short: Mapping[int, int]) -> Operand:
    if operand.fact is None or not operand.fact.shape:
        return operand
    first, *rest = operand.fact.shape
    shape: tuple[int, ...] = (
        short[first] if operand.role in WITHOUT_ROWS and first in short else first,
    )
    shape += tuple(short[size] for size in rest)
    return replace(operand, fact=TensorFact(shape, operand.fact.dtype))


def batch_sizes(observation: Observation) -> tuple[int, ...]:
    """1, the two smallest sizes that no other axis has, and the program's own."""
    batch = replay_rows(observation)
    if batch is None:
        return ()
    others = {size for each in observation.operands for size in each.shape[1:]}
    free = [size for size in range(2, 12) if size not in others][:2]
    return tuple(sorted({1, *free, batch}))


def replay_rows(observation: Observation) -> int | None:
    """The number of rows: the smallest leading size; None where it is unknown or not one."""
    leading = [
        each.shape[0]
        for each in observation.operands
        if each.shape and each.role not in WITHOUT_ROWS
    ]
    if not leading or min(leading) == 0 or any(size % min(leading) for size in leading):
        return None
    return min(leading)


def _outcome(observation: Observation, repair: Repair, rows: Repair, size: int) -> Outcome:
    made = _tensors(observation, size)
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            found = _compared(observation, made, repair=repair, reference=rows, size=size)
            if found not in ("equal", "broadcasts"):
                return found
            faithful = _faithful(observation, repair, made, size)
            # A number for each row, used at all places of its own row, mixes nothing.
            within: Outcome = "runs" if faithful == "equal" else "broadcasts"
            return faithful if found == "equal" else within
    except Exception:  # a repair that raises is refused, for any reason
        return "refused"


def _faithful(
    observation: Observation, repair: Repair, made: Mapping[str, torch.Tensor], size: int
) -> Outcome:
    """Equal, if the changes keep all numbers in their rows and each row of the loss has its own."""
    if observation.kind != "loss":
        return "equal"
    for change in repair.changes:
        operand = observation.operand(change.role)
        if operand is None or aligns(change.suffix):
            continue
        whole = change.role in WITHOUT_ROWS
        axis = 0 if whole else row_axis(observation, change.role)
        apply = partial(_applied, change=change, made=made)
        found = kept(operand, made[change.role], apply, axis=axis, size=1 if whole else size)
        if found in HARMFUL:
            return found
    apart = rows_apart(
        lambda tensors: _unreduced(observation, _changed(tensors, repair)),
        made,
        lambda role: role not in WITHOUT_ROWS and made[role].dim() > 0,
        size,
    )
    return apart if apart in HARMFUL else "equal"


def _unreduced(observation: Observation, tensors: Mapping[str, Any]) -> torch.Tensor:
    options = _options(observation)
    if not _reduces(observation.callee):
        return torch.zeros(())  # one number: nothing to tell rows by
    apart: torch.Tensor = functional(observation.callee)(
        **tensors, **{**options, "reduction": "none"}
    )
    return apart


def _compared(
    observation: Observation,
    made: Mapping[str, torch.Tensor],
    *,
    repair: Repair,
    reference: Repair,
    size: int,
) -> Outcome:
    options, changed = _options(observation), _changed(made, repair)
    verdict = judge(observation.callee, **changed, **options)
    if verdict.outcome == "hazard":
        return "broadcasts"
    _total(observation.callee, changed, options)  # another dtype is refused here
    exact = fine(made)
    whole = _total(observation.callee, fine(_changed(exact, repair)), options)
    rows = _rows(exact, reference, size)
    parts = torch.stack([_total(observation.callee, fine(row), options) for row in rows])
    apart = float((whole - parts.sum()).abs())
    return "equal" if apart <= share(whole) * float(parts.abs().sum()) else "differs"


def _rows(
    made: Mapping[str, torch.Tensor], repair: Repair, size: int
) -> list[dict[str, torch.Tensor]]:
    return [_changed(_row(made, place, size), repair) for place in range(size)]


def _total(name: str, tensors: Mapping[str, Any], options: Mapping[str, Any]) -> torch.Tensor:
    """The loss as a sum, in which weights and ignored rows count the same everywhere."""
    summed = {**options, "reduction": "sum"} if _reduces(name) else dict(options)
    result: torch.Tensor = functional(name)(**tensors, **summed)
    return result.sum()


def _reduces(name: str) -> bool:
    return any(each.name == "reduction" for each in parameters(name))


def _options(observation: Observation) -> dict[str, Any]:
    row = ROWS[observation.callee]
    names = {each.name for each in parameters(observation.callee)} - set(row.tensors)
    skip = {"size_average", "reduce"}
    return {
        name: value
        for name, value in observation.options.items()
        if name in names and name not in skip
    }


def _changed(made: Mapping[str, torch.Tensor], repair: Repair) -> dict[str, torch.Tensor]:
    changed = dict(made)
    for change in repair.changes:
        changed[change.role] = _applied(changed[change.role], change, made)
    return changed


def _applied(tensor: torch.Tensor, change: Change, made: Mapping[str, torch.Tensor]) -> Any:
    space = {"torch": torch, "x": tensor, "input": next(iter(made.values()))}
    # Our own text, made of method names and numbers: never the user's.
    return eval(f"x{change.suffix}", {"__builtins__": {}}, space)


def _row(made: Mapping[str, torch.Tensor], place: int, size: int) -> dict[str, torch.Tensor]:
    rows = {}
    for name, tensor in made.items():
        if name in WITHOUT_ROWS or tensor.dim() == 0:
            rows[name] = tensor
            continue
        each = tensor.shape[0] // size
        rows[name] = tensor[place * each : (place + 1) * each]
    return rows


def _tensors(observation: Observation, size: int) -> dict[str, torch.Tensor]:
    batch = replay_rows(observation) or 1
    generator = torch.Generator().manual_seed(size)
    made = {}
    for operand in observation.operands:
        if operand.fact is None:
            continue
        shape = operand.fact.shape
        if shape and operand.role not in WITHOUT_ROWS:
            shape = (shape[0] // batch * size, *shape[1:])
        dtype = getattr(torch, operand.fact.dtype)
        made[operand.role] = _filled(observation, operand.role, shape, dtype, generator)
    return made


def _filled(
    observation: Observation,
    role: str,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    generator: torch.Generator,
) -> torch.Tensor:
    """Values a loss takes: probabilities, positive weights, class numbers within range."""
    if dtype.is_floating_point and "whole" not in _traits(observation, role):
        return (torch.rand(shape, generator=generator) * 0.9 + 0.05).to(dtype)
    classes = min((max(each.shape[1:], default=2) for each in observation.operands[:1]), default=2)
    smallest = min((size for size in observation.operands[0].shape[1:]), default=2)
    high = max(1, min(classes, smallest)) if observation.callee in _INDEXED else 2
    return torch.randint(high, shape, generator=generator).to(dtype)


def _traits(observation: Observation, role: str) -> frozenset[str]:
    found = observation.operand(role)
    return found.traits if found else frozenset()


# Their target counts along an axis of the input; behind `features` a layer makes that axis.
_CLASSES = losses(target="classes") | losses(target="class lists")
_INDEXED = _CLASSES - losses(takes="features")
