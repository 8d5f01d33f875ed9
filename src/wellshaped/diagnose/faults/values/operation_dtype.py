"""An operation got a tensor of a dtype that it does not take.

**What happens.** A mean of whole numbers, a mask of numbers, an index of numbers with fractions,
a gradient for int64: torch refuses rather than convert.

**Why.** Labels and counts are int64, comparisons are bool, numbers from NumPy are float64, and
each operation has dtypes that it is defined for. In place, a result keeps the dtype of its tensor.

    correct = scores.argmax(1) == labels       # bool
    accuracy = correct.mean()                  # needs fractions: correct.float().mean()

**Repair.** Convert before the operation: `.float()`, `.long()`, `.bool()`.

**Not a fault** where torch promotes by itself: `int64 + float32` is float32.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS510", "operation-dtype", 95
SEVERITY: Final = "error"

HEADLINES = {
    "fractions": "`{label}` takes numbers with fractions and got `{operand}` of dtype {dtype}",
    "mask": "`{label}` takes a mask of truth values and got `{operand}` of dtype {dtype}",
}
WHYS = {
    "fractions": "The result has fractions, which {dtype} cannot hold.",
    "mask": "Each entry says whether an element is meant; a number does not.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "scores, labels = torch.randn(8, 3), torch.zeros(8).long()\n"
    "correct = scores.argmax(1) == labels\ncorrect.mean()",
    "counts = torch.arange(6)\ncounts.requires_grad_()",
    "scores, keep = torch.randn(3), torch.ones(3)\nscores.masked_fill(keep, 0.0)",
)
QUIET = ("torch.randn(8).mean()", "torch.arange(6).sum()")

_FRACTIONS = ("mean", "std", "var", "softmax", "log_softmax", "norm", "requires_grad_", "quantile")
_MASKED = ("masked_fill", "masked_fill_", "masked_select")


def diagnose(observation: Observation) -> Finding | None:
    """Fires on whole numbers where fractions are needed, and on numbers where a mask is."""
    operands = observation.operands
    if observation.kind != "operation" or not operands:
        return None
    if observation.callee in _FRACTIONS and _dtype(operands[0]).startswith(("int", "uint", "bool")):
        return _found(observation, operands[0], "fractions")
    mask = next((each for each in operands if each.role in ("argument 0", "mask")), None)
    if observation.callee in _MASKED and len(operands) > 1 and mask is not None:
        return _found(observation, mask, "mask") if _dtype(mask) not in ("", "bool") else None
    return None


def _dtype(operand: Operand) -> str:
    return operand.fact.dtype if operand.fact else ""


def _found(observation: Observation, operand: Operand, variant: str) -> Finding:
    facts = {"label": observation.label, "operand": operand.text, "dtype": _dtype(operand)}
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, (operand.role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """A cast may be a wrong reading of what the numbers are: the page names them."""
    return ()
