"""An operation got sizes that do not agree, or that cannot be cut as it cuts them.

**What happens.** A matrix to be inverted is not square, the parts of a `split` do not make up
the axis, the halves of a `glu` are not equal, a gradient or a bias has another shape than what
it belongs to.

**Why.** A layer before it has another width, an axis was cut or padded on the way, or a number
written down for one size of the data is used with another.

    scores = torch.randn(4, 10)
    scores.split([3, 5], dim=1)                # 3 + 5 is not 10

**Repair.** Read the size from the tensor, `scores.size(1)`, and derive the other sizes from it.

**Not a fault** when the operation broadcasts: an axis of size 1 goes with any size there.
"""

from collections.abc import Mapping
from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS226", "operation-sizes", 95
SEVERITY: Final = "error"

HEADLINES = {
    "square": "`{label}` takes square matrices and got `{operand}` of shape {shape}",
    "parts": "`{label}` got parts of {parts} for axis {axis} of `{operand}`, of size {size}",
    "halves": "`{label}` halves axis {axis} of `{operand}`, whose size {size} is odd",
}
WHYS = {
    "square": "The last two axes stand for the same thing here, so they have one size.",
    "parts": "The parts follow one another and leave nothing over: their sum is {total}.",
    "halves": "One half is a gate for the other, so both have one size.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "table = torch.randn(4, 5)\ntorch.linalg.inv(table)",
    "scores = torch.randn(4, 10)\nscores.split([3, 5], dim=1)",
    "gates = torch.randn(4, 3)\nF.glu(gates)",
)
QUIET = (
    "torch.linalg.inv(torch.eye(4))",
    "torch.randn(4, 10).split([3, 7], dim=1)",
    "F.glu(torch.randn(4, 6))",
)

_SQUARE = ("inv", "det", "slogdet", "cholesky", "eig", "eigh", "matrix_power", "matrix_exp")


def diagnose(observation: Observation) -> Finding | None:
    """Fires on matrices that are not square, on parts that do not add up, and on odd halves."""
    first = observation.operands[0] if observation.operands else None
    if observation.kind != "operation" or first is None or not first.shape:
        return None
    if observation.callee in _SQUARE and len(first.shape) > 1:
        square = first.shape[-1] == first.shape[-2]
        return None if square else _found(observation, first, "square", {})
    if observation.callee == "glu" and len(observation.options.get("args", ())) == 1:
        axis = observation.options.get("dim", -1)
        return _halves(observation, first, axis) if isinstance(axis, int) else None
    return _parts(observation, first) if observation.callee == "split" else None


def _halves(observation: Observation, operand: Operand, axis: int) -> Finding | None:
    rank = len(operand.shape)
    if not -rank <= axis < rank or operand.shape[axis] % 2 == 0:
        return None
    facts = {"axis": axis % rank, "size": operand.shape[axis]}
    return _found(observation, operand, "halves", facts)


def _parts(observation: Observation, operand: Operand) -> Finding | None:
    arguments = observation.options.get("args") or (None,)
    parts, axis = arguments[0], observation.options.get("dim", 0)
    rank = len(operand.shape)
    if not isinstance(parts, tuple) or not isinstance(axis, int) or not -rank <= axis < rank:
        return None
    size = operand.shape[axis]
    if sum(parts) == size or len(arguments) > 1:
        return None
    facts = {"axis": axis % rank, "size": size, "total": sum(parts), "parts": shape_text(parts)}
    return _found(observation, operand, "parts", facts)


def _found(
    observation: Observation, operand: Operand, variant: str, facts: Mapping[str, object]
) -> Finding:
    told = {"label": observation.label, "operand": operand.text, "shape": shape_text(operand.shape)}
    return Finding(
        CODE, NAME, SEVERITY, observation, variant, {**told, **facts}, blamed=(operand.role,)
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Which of the sizes is the right one is not told by them."""
    return ()
