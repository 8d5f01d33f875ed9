"""A loss for classes got a one-hot table instead of class numbers.

**What happens.** `nll_loss`, `multi_margin_loss` and, for integers, `cross_entropy` take one
class number per row. A one-hot target has a row of zeros and a one, the shape of the scores.

**Why.** `cross_entropy` reads a target of the input's shape as probabilities, which must be
floating point; the other losses refuse the extra axis.

    target = F.one_hot(labels, 10)              # (32, 10) int64
    loss = F.cross_entropy(logits, target)

**Repair.** Hand over the class numbers the table was made from, or `target.argmax(1)`. For
`cross_entropy` alone `target.float()` gives the same value.

**Not a fault** when the rows hold several ones: that is multi-label, and the loss for it is
`binary_cross_entropy_with_logits`.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import CLASS_LOSSES, mends, names_of, needs_of, refused, repair_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS501", "one-hot-target", 15
SEVERITY: Final = "error"

HEADLINES = {
    "one_hot": "`{label}` got a one-hot table where class numbers are needed",
    "many": "`{label}` got several labels per row where one class number is needed",
}
WHYS = {
    "one_hot": "Each row of `{target}` holds one 1 among {classes} places, the place of its "
    "class. This loss takes the number of that place.",
    "many": "`{target}` has the shape of the scores, {target_shape}, and rows with another "
    "number of ones than one. One class per row is what this loss is for; for several at a "
    "time there is `binary_cross_entropy_with_logits`.",
}
TITLES = {"index": "take the class numbers out of `{operand}`"}

FIRES = (
    """
logits, target = torch.randn(4, 3), F.one_hot(torch.tensor([0, 2, 1, 1]), 3)
F.cross_entropy(logits, target)
""",
    """
scores = torch.randn(4, 3).log_softmax(1)
target = torch.eye(3)[torch.tensor([0, 2, 1, 1])]
F.nll_loss(scores, target)
""",
)
QUIET = (
    """
logits, target = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
F.cross_entropy(logits, target)
""",
    """
logits, target = torch.randn(4, 3), torch.zeros(4, 1, dtype=torch.long)
F.cross_entropy(logits, target)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the target has the shape of the scores and values of zeros and ones."""
    if refused(observation, *CLASS_LOSSES) is None or len(observation.operands) < 2:
        return None
    scores, target = observation.operands[0], observation.operand("target")
    if target is None or scores.shape != target.shape or len(scores.shape) < 2:
        return None
    if not {"whole", "unit"} <= target.traits:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="one_hot" if "one_hot:1" in target.traits else "many",
        facts={**names_of(observation), "operand": target.text, "classes": target.shape[1]},
        blamed=("target",),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Class numbers by `argmax`; nothing where rows have several ones."""
    if finding.variant != "one_hot":
        return ()
    found = mends(finding.observation, one_hot=True)
    if found:
        return tuple(repair_of(each, finding.observation, "index") for each in found[:1])
    return (Repair("index", {}, (Change("target", ".argmax(1)"),)),)
