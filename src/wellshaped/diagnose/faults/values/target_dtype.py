"""The target has the right shape and the wrong dtype.

**What happens.** Losses for classes take class numbers as int64; losses that compare
numbers with numbers take the floating point dtype of their input.

**Why.** Numbers read with numpy or pandas come as float64 or int32, comparisons give bool,
a table of labels comes as float. torch refuses rather than choose.

    labels = torch.tensor(frame["label"].values, dtype=torch.float32)
    loss = F.cross_entropy(logits, labels)      # expected int64

**Repair.** Convert the target where it is made, or at the call: `labels.long()` for class
numbers, `labels.float()` for numbers.

**Not a fault** when a floating point target has the shape of the input: `cross_entropy`
then reads probabilities.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import (
    CLASS_LOSSES,
    kinds,
    names_of,
    needs_of,
    only_mend,
    refused,
    repair_of,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS502", "target-dtype", 18
SEVERITY: Final = "error"

HEADLINES = {
    "classes": "`{label}` got class numbers as {dtype}, not as int64",
    "numbers": "`{label}` got a {dtype} target for a {wanted} input",
}
WHYS = {
    "classes": "The shapes say that `{operand}` holds one class number for each row, and class "
    "numbers are int64. Other dtypes are refused, because torch cannot tell class numbers from "
    "probabilities or scores.",
    "numbers": "The loss computes with `{operand}` and `{other}` in one dtype, and does not "
    "convert a target by itself.",
}
TITLES = {"cast": "convert `{operand}`"}

FIRES = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4)
F.cross_entropy(logits, labels)
""",
    """
logits, labels = torch.randn(4), torch.zeros(4, dtype=torch.int64)
F.binary_cross_entropy_with_logits(logits, labels)
""",
    """
scores, labels = torch.rand(4), torch.zeros(4, dtype=torch.float64)
nn.BCELoss()(scores, labels)
""",
)
QUIET = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4, dtype=torch.int64)
F.cross_entropy(logits, labels)
""",
    """
logits, labels = torch.randn(4), torch.zeros(4)
F.binary_cross_entropy_with_logits(logits, labels)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when shapes fit and a conversion is all that is missing."""
    if refused(observation) is None or len(observation.operands) < 2:
        return None
    target = observation.operands[-1] if observation.callee != "cross_entropy" else None
    target = observation.operand("target") or target
    change = _conversion(observation)
    if target is None or target.fact is None or change is None:
        return None
    first = observation.operands[0]
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="classes" if observation.callee in CLASS_LOSSES else "numbers",
        facts={
            **names_of(observation),
            "operand": target.text,
            "other": first.text,
            "dtype": target.fact.dtype,
            "wanted": first.fact.dtype if first.fact else "float32",
        },
        blamed=(target.role,),
        needs=needs_of(observation),
    )


def _conversion(observation: Observation) -> Repair | None:
    mend = only_mend(observation)
    if mend is not None and kinds(mend) == {"cast"}:
        return repair_of(mend, observation, "cast")
    first, target = observation.operands[0], observation.operand("target")
    both = first.fact is not None and target is not None and target.fact is not None
    if both and first.fact and target and target.fact and first.shape == target.shape:
        apart = first.fact.dtype != target.fact.dtype and target.fact.dtype.startswith("float")
        if apart and observation.callee not in CLASS_LOSSES:
            suffix = f".to({first.text}.dtype)" if first.passage else ".float()"
            suffix = ".float()" if first.fact.dtype == "float32" else suffix
            return Repair("cast", {"operand": target.text}, (Change("target", suffix),))
    return None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Convert the target."""
    change = _conversion(finding.observation)
    return (change,) if change else ()
