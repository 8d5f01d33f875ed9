"""The class axis of the scores stands last; the loss takes it from place 1.

**What happens.** For inputs with more than two axes `cross_entropy` and `nll_loss` read
`(B, C, T)`: classes at axis 1. A recurrent or attention model gives `(B, T, C)`.

**Why.** The loss then takes the T positions for classes and compares the target with the
wrong axis. Where T happens to equal C nothing is refused at all.

    logits = model(tokens)                      # (32, 100, 600): batch, time, words
    loss = F.cross_entropy(logits, following)   # following: (32, 100)

**Repair.** `logits.transpose(1, 2)`, or flatten both: `logits.flatten(0, 1)` and
`following.flatten()`.

**Not a fault** when the classes are at axis 1, as convolutions give them.
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
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS204", "class-axis-last", 20
SEVERITY: Final = "error"

HEADLINES = {
    "": "`{label}` reads axis 1 of `{operand}` as classes, and they are at axis {last}",
}
WHYS = {
    "": "`{operand}` is {shape}: its last axis has the {classes} scores of a position, its axis 1 "
    "the {positions} positions of the target. The loss takes the classes from axis 1 and the "
    "positions from the axes after it.",
}
TITLES = {"move": "move the class axis of `{operand}` to place 1"}

FIRES = (
    """
logits, words = torch.randn(4, 7, 5), torch.zeros(4, 7, dtype=torch.long)
F.cross_entropy(logits, words)
""",
    """
scores, mask = torch.randn(2, 6, 8, 3), torch.zeros(2, 1, 6, 8, dtype=torch.long)
nn.CrossEntropyLoss()(scores, mask)
""",
)
QUIET = (
    """
logits, words = torch.randn(4, 5, 7), torch.zeros(4, 7, dtype=torch.long)
F.cross_entropy(logits, words)
""",
    """
logits, words = torch.randn(4, 7, 5), torch.zeros(4, 6, dtype=torch.long)
F.cross_entropy(logits, words)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when moving the last axis of the scores to place 1 makes the call fit."""
    if refused(observation, *CLASS_LOSSES) is None:
        return None
    mend = only_mend(observation)
    if mend is None or "move" not in kinds(mend):
        return None
    scores = observation.operands[0]
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            **names_of(observation),
            "operand": scores.text,
            "shape": names_of(observation)["input_shape"],
            "last": len(scores.shape) - 1,
            "classes": scores.shape[-1],
            "positions": " x ".join(map(str, scores.shape[1:-1])),
        },
        blamed=("input",),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Move the class axis."""
    mend = only_mend(finding.observation)
    return (repair_of(mend, finding.observation, "move"),) if mend else ()
