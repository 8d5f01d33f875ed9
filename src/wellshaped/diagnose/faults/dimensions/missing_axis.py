"""A loss that pairs element by element got operands with different numbers of axes.

**What happens.** `MarginRankingLoss`, `BCEWithLogitsLoss`, `BCELoss` and the like pair
their operands element by element and refuse `(B, 1)` beside `(B,)`.

**Why.** A model with one output gives a column, one score per row: `(B, 1)`. Labels are
mostly a vector: `(B,)`. Which axis is missing is not guessed.

    chosen, rejected = reward(a), reward(b)     # (B, 1), (B, 1)
    label = torch.ones(chosen.size(0))          # (B,)
    loss = ranking(chosen, rejected, label)

**Repair.** Give the vector its axis, `label.unsqueeze(1)`, or drop the column's by its
number, `chosen.squeeze(1)`. A bare `.squeeze()` drops the batch axis too at B = 1.

**Not a fault** when all operands have one shape. Losses that broadcast instead of refusing
are `silent-broadcast`.
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
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS101", "missing-axis", 20
SEVERITY: Final = "error"

HEADLINES = {
    "fewer": "`{label}` got a {odd} with fewer axes than {rest}",
    "more": "`{label}` got a {odd} with more axes than {rest}",
}
WHYS = {
    "fewer": "`{other}` has {other_rank} axes, {other_shape}; `{operand}` has {rank}, {shape}. "
    "The loss pairs them element by element and does not guess which axis is missing.",
    "more": "`{operand}` has {rank} axes, {shape}; `{other}` has {other_rank}, {other_shape}. "
    "The loss pairs them element by element and does not guess which axis to drop.",
}
TITLES = {
    "add": "give `{operand}` the missing axis",
    "drop": "drop axis {axis} of `{operand}`",
}
PHRASES = {"input": "its input", "inputs": "its inputs"}

FIRES = (
    """
chosen, rejected, label = torch.randn(4, 1), torch.randn(4, 1), torch.ones(4)
nn.MarginRankingLoss()(chosen, rejected, label)
""",
    """
logits, labels = torch.randn(4), torch.ones(4, 1)
F.binary_cross_entropy_with_logits(logits, labels)
""",
)
QUIET = (
    """
logits, labels = torch.randn(4, 1), torch.ones(4, 1)
F.binary_cross_entropy_with_logits(logits, labels)
""",
    """
logits, labels = torch.randn(4, 5), torch.ones(4, 3)
F.binary_cross_entropy_with_logits(logits, labels)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when adding or dropping axes of size 1 is all that is missing."""
    if refused(observation) is None or observation.callee in CLASS_LOSSES:
        return None
    mend = only_mend(observation)
    if mend is None or not kinds(mend) <= {"add", "drop", "cast"} or kinds(mend) == {"cast"}:
        return None
    odd = observation.operand(mend.steps[0].argument)
    others = [each for each in observation.operands if odd and len(each.shape) != len(odd.shape)]
    if odd is None or not others:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="fewer" if len(odd.shape) < len(others[0].shape) else "more",
        facts={
            **names_of(observation),
            "odd": odd.role,
            "rest": phrase("input" if len(others) == 1 else "inputs"),
            "operand": odd.text,
            "other": others[0].text,
            "rank": len(odd.shape),
            "other_rank": len(others[0].shape),
            "shape": names_of(observation)[f"{odd.role}_shape"],
            "other_shape": names_of(observation)[f"{others[0].role}_shape"],
        },
        blamed=(odd.role,),
        needs=needs_of(observation),
        needs_note=phrase("one_shape_for_all"),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Add or drop the axis."""
    mend = only_mend(finding.observation)
    if mend is None:
        return ()
    title = "add" if mend.steps[0].kind == "add" else "drop"
    return (repair_of(mend, finding.observation, title),)
