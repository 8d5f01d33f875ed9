"""What the rules at a loss share: the contract of the call, and the alignments that mend it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wellshaped.contracts.alignments import Alignment, alignments
from wellshaped.contracts.call import BadCall, Target, bind
from wellshaped.contracts.contract import Contract
from wellshaped.contracts.judge import judge_bound
from wellshaped.contracts.match import first_conflict
from wellshaped.contracts.notation import parse_arrangement
from wellshaped.contracts.questions import WITHOUT_ROWS, losses
from wellshaped.contracts.registry import ROWS, parameters
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact, shape_text
from wellshaped.records.verdict import AlignmentStep, Verdict

CLASS_LOSSES = losses(target="classes")
# The rank of their input is that of the scores.
_OF_SCORES = CLASS_LOSSES - losses(takes="features")
_EXTRA_AXES = {0: (), 1: ("T",), 2: ("H", "W"), 3: ("D", "H", "W")}


def bound_of(observation: Observation) -> dict[str, Any] | None:
    """The arguments of the loss, bound; None when they are not all known."""
    names = {each.name for each in parameters(observation.callee)}
    given: dict[str, Any] = {
        name: value for name, value in observation.options.items() if name in names
    }
    given |= {each.role: each.fact for each in observation.operands if each.fact}
    try:
        return bind(Target(ROWS[observation.callee], {}), (), given)
    except BadCall:
        return None


def verdict_of(observation: Observation) -> Verdict | None:
    """What the contract says of the call; None when it is no loss or not known well enough."""
    if observation.kind not in ("loss", "backward"):
        return None
    bound = bound_of(observation)
    return judge_bound(ROWS[observation.callee], bound) if bound else None


def right_at(observation: Observation, size: int) -> bool | None:
    """Whether a loss that gets wrong shapes gets right ones with so many rows; None if unknown."""
    seen = verdict_of(observation)
    if seen is None or seen.outcome == "accept":
        return None  # what is wrong is nothing that the contract sees
    shapes = {each.role: dict(each.at).get(size) for each in observation.operands if each.fact}
    if None in shapes.values():
        return None
    return fits(observation, shapes)


def fits(observation: Observation, shapes: Mapping[str, tuple[int, ...] | None]) -> bool | None:
    """Whether a loss would take its operands with these shapes; None if that is not known."""
    operands = tuple(_with_shape(each, shapes.get(each.role)) for each in observation.operands)
    verdict = verdict_of(replace(observation, operands=operands))
    return verdict.outcome == "accept" if verdict is not None else None


def _with_shape(operand: Operand, shape: tuple[int, ...] | None) -> Operand:
    if operand.fact is None or shape is None:
        return operand
    return replace(operand, fact=TensorFact(shape, operand.fact.dtype))


def mends(observation: Observation, *, one_hot: bool = False) -> tuple[Alignment, ...]:
    """The alignments that would make the call meet its contract."""
    bound = bound_of(observation)
    return alignments(ROWS[observation.callee], bound, one_hot=one_hot) if bound else ()


def needs_of(observation: Observation) -> tuple[tuple[str, str], ...]:
    """The documented arrangement nearest to the call, one (role, axes) for each operand."""
    row = ROWS[observation.callee]
    line = _nearest(row, {each.role: each.shape for each in observation.operands if each.fact})
    rank = len(observation.operands[0].shape)
    found = []
    for term in parse_arrangement(line):
        if observation.operand(term.argument):
            axes = _spelled(term.axes, rank if observation.callee in _OF_SCORES else None)
            found.append((term.argument, axes))
    return tuple(found)


def _nearest(row: Contract, shapes: Mapping[str, tuple[int, ...]]) -> str:
    """The first arrangement whose leading operand fits; conflicts further on come with it."""
    for line in row.needs:
        blame = first_conflict(line, shapes)
        if blame is None or blame.argument != row.tensors[0]:
            return line
    return row.needs[0]


def _spelled(axes: tuple[str, ...], rank: int | None) -> str:
    spelled: list[str] = []
    for axis in axes:
        if axis == "*S" and rank is not None:
            spelled += _EXTRA_AXES.get(max(rank - 2, 0), ("*S",))
        else:
            spelled.append(axis)
    plain = len(spelled) == 1 and not spelled[0].startswith("*")
    return f"({spelled[0]},)" if plain else f"({', '.join(spelled)})"


def names_of(observation: Observation) -> dict[str, str]:
    """What the sentences call the operands: the user's own expressions."""
    names = {each.role: each.text for each in observation.operands}
    names |= {f"{each.role}_shape": shape_text(each.shape) for each in observation.operands}
    first = observation.operands[0]
    shared = {"input": first.text, "input_shape": shape_text(first.shape)}
    return {"label": observation.label, **shared, **names}


def repair_of(alignment: Alignment, observation: Observation, title: str) -> Repair:
    """An alignment as a change of the call."""
    changes: dict[str, str] = {}
    ranks = {each.role: len(each.shape) for each in observation.operands}
    for step in alignment.steps:
        changes[step.argument] = changes.get(step.argument, "") + _suffix(step, ranks)
    roles = tuple(changes)
    first = observation.operand(roles[0]) if roles else None
    facts = {"operand": first.text if first else "", "axis": alignment.steps[0].axis}
    return Repair(title, facts, tuple(Change(role, text) for role, text in changes.items()))


def _suffix(step: AlignmentStep, ranks: Mapping[str, int]) -> str:
    """The method call people write for a step."""
    if step.kind == "move":
        return (
            ".transpose(1, 2)" if ranks[step.argument] == 3 else f".movedim({step.axis}, {step.to})"
        )
    if step.kind == "cast":
        return {"int64": ".long()", "float32": ".float()", "float64": ".double()"}.get(
            step.dtype, step.code
        )
    return step.code


def refused(observation: Observation, *losses: str) -> Verdict | None:
    """The verdict of a loss call torch refuses, if it is one of these losses (or any)."""
    if observation.kind != "loss" or (losses and observation.callee not in losses):
        return None
    verdict = verdict_of(observation)
    return verdict if verdict is not None and not verdict.accepted else None


def only_mend(observation: Observation) -> Alignment | None:
    """The single alignment of the call that changes shapes; None when there is none, or several."""
    found = mends(observation)
    return found[0] if len(found) == 1 and found[0].steps else None


def kinds(alignment: Alignment) -> set[str]:
    """The kinds of steps an alignment takes."""
    return {step.kind for step in alignment.steps}


def leading_sizes(observation: Observation) -> list[int]:
    """The leading sizes of the operands that have rows."""
    return [
        each.shape[0]
        for each in observation.operands
        if each.shape and each.role not in WITHOUT_ROWS
    ]
