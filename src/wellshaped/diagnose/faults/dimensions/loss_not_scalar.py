"""`backward()` was called on a tensor with several values.

**What happens.** `loss.backward()` raises because `loss` is a vector or a table: the losses of
the rows, not their mean or sum.

**Why.** A gradient is taken of one number. With `reduction="none"`, or a hand-written loss that
was not averaged, there are several, and torch does not choose how to weigh them.

    loss = F.cross_entropy(logits, labels, reduction="none")   # (B,)
    loss.backward()

**Repair.** Reduce first: `loss.mean().backward()`.

**Not a fault** when a gradient for each value is handed over: `loss.backward(weights)`.
"""

from math import prod
from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS113", "loss-not-scalar", 25
SEVERITY: Final = "error"

HEADLINES = {"": "`backward()` was called on {count} values, and needs one"}
WHYS = {
    "": "`{operand}` is {shape}: the losses of the rows, not their mean or sum. A gradient is "
    "taken of one number, and how to weigh several is not guessed.",
}
TITLES = {"mean": "take the mean of `{operand}` first"}

FIRES = (
    """
loss = F.mse_loss(torch.randn(4, requires_grad=True), torch.randn(4), reduction="none")
loss.backward()
""",
)
QUIET = (
    """
loss = F.mse_loss(torch.randn(4, requires_grad=True), torch.randn(4))
loss.backward()
""",
    """
loss = torch.randn(1)
loss.backward()
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a failed `backward()` of a tensor that holds another number of values than one."""
    if observation.kind != "operation" or observation.callee != "backward":
        return None
    operand = observation.operand("input")
    if operand is None or operand.fact is None or prod(operand.shape) == 1:
        return None
    if observation.options.get("args") or len(observation.operands) > 1:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            "operand": operand.text,
            "shape": shape_text(operand.shape),
            "count": prod(operand.shape),
        },
        blamed=("input",),
        needs=(("input", "()"),),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The mean, as every loss of torch takes it by itself."""
    return (Repair("mean", {}, (Change("input", ".mean()"),)),)
