"""Which of several tensors does not fit the others, joined along an axis."""

from __future__ import annotations

from wellshaped.diagnose.edits.call_edits import call_of, part_text, replaced
from wellshaped.diagnose.fit.shapes import Shape, joined, plain_arguments, tensors
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit

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


def repeated_along(
    operand: Operand, other: Shape, axis: int
) -> tuple[tuple[int, tuple[Edit, ...]], ...]:
    """The axes along which a `repeat` would have made a tensor fit, each with its edits."""
    birth = (
        operand.origins[0] if operand.origins and operand.origins[0].operation == "repeat" else None
    )
    node = call_of(birth.passage) if birth is not None else None
    times = birth.arguments if birth is not None else ()
    if birth is None or node is None or not all(type(each) is int for each in times):
        return ()
    often = [place for place, each in enumerate(times) if each != 1]
    if len(often) != 1 or len(node.args) != len(times) or len(times) != len(operand.shape):
        return ()
    was, count = often[0], times[often[0]]
    texts = [part_text(birth.passage, each) for each in node.args]
    found = []
    for place in (each for each in range(len(times)) if each != was):
        shape = list(operand.shape)
        shape[was], shape[place] = shape[was] // count, shape[place] * count
        if joined([tuple(shape), other], axis):
            edits = (
                replaced(birth.passage, node.args[was], texts[place]),
                replaced(birth.passage, node.args[place], texts[was]),
            )
            found.append((place, edits))
    return tuple(found)
