"""Which of several tensors does not fit the others, joined along an axis."""

from __future__ import annotations

from wellshaped.diagnose.shapes import joined, plain_arguments, tensors
from wellshaped.records.observation import Observation, Operand

CAT = ("cat", "concat", "concatenate")
JOINING = (*CAT, "stack", "hstack", "vstack")


def joinable(observation: Observation) -> list[Operand]:
    """The tensors that count: `cat` passes over empty ones of shape (0,)."""
    return [each for each in tensors(observation) if each.shape != (0,)]


def axis_of(observation: Observation, first: Operand) -> int:
    """The axis along which they are joined."""
    if observation.callee in ("hstack", "vstack"):
        return 1 if observation.callee == "hstack" and len(first.shape) > 1 else 0
    given = plain_arguments(observation)
    axis = observation.options.get("dim", given[0] if given else 0)
    rank = max(1, len(first.shape))
    return axis % rank if type(axis) is int and -rank <= axis < rank else 0


def odd_one(callee: str, given: list[Operand], axis: int) -> tuple[str, Operand, Operand]:
    """How one of them does not fit, the one it is compared with, and itself."""
    first = given[0]
    for odd in given:
        if callee in CAT and not odd.shape:
            return "scalar", next((each for each in given if each.shape), first), odd
    for odd in given[1:]:
        if callee == "stack" and odd.shape != first.shape:
            return "stack", first, odd
        if callee != "stack" and len(odd.shape) != len(first.shape):
            return "rank", first, odd
        if callee != "stack" and not joined([first.shape, odd.shape], axis):
            return "size", first, odd
    return "", first, first


def other_axis(given: list[Operand], axis: int) -> int | None:
    """The only other axis along which all of them can be joined."""
    shapes = [each.shape for each in given]
    found = [k for k in range(len(shapes[0])) if k != axis and joined(shapes, k)]
    return found[0] if len(found) == 1 else None
