"""Values lie outside what the operation is defined for; the shapes fit.

**What happens.** A count of negative numbers, probabilities that are negative or do not end, a
scale of 0 for a normal distribution, the inverse of a singular matrix: the operation has no
result for these values.

**Why.** An output of a model is used where a positive number is needed, logits stand in for
probabilities, `nan` came in from an earlier step, or a label of -1 marks what is to be left out.

    labels = torch.tensor([0, 2, -1, 1])       # -1: not labelled
    torch.bincount(labels)

**Repair.** Bring the values into the range: `exp` or `softplus` for a scale, `softmax` for
probabilities; leave marked entries out, `labels[labels >= 0]`.

**Not a fault** when the operation is defined for all numbers: a logarithm of 0 is `-inf` and runs.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS511", "value-range", 95
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` got {least} in `{operand}`, and takes numbers from 0 on"}
WHYS = {"": "Each number is a place that is counted. The values of `{operand}` go from {least} "
        "to {most}."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = ("labels = torch.tensor([0, 2, -1, 1])\ntorch.bincount(labels)",)
QUIET = ("torch.bincount(torch.tensor([0, 2, 1]))",)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on negative numbers that were to be counted."""
    first = observation.operands[0] if observation.operands else None
    if observation.callee != "bincount" or first is None or first.bounds is None:
        return None
    least, most = first.bounds
    if least >= 0:
        return None
    facts = {"label": observation.label, "operand": first.text, "least": least, "most": most}
    return Finding(CODE, NAME, SEVERITY, observation, facts=facts, blamed=(first.role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """What a negative number stands for is not told by it."""
    return ()
