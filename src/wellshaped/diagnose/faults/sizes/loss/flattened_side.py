"""Scores and targets are flattened on one side only, or not at all where they must be.

**What happens.** One side has the rows of all sequences under each other, `(B * T, C)`, the
other still has them side by side, `(B, T)`. Or both have a time axis and the loss takes
matrices only, as `multi_margin_loss` does.

**Why.** The loss compares the first axes, B * T against B, and refuses.

    logits = decoder(x).view(-1, words)         # (B * T, C)
    loss = F.cross_entropy(logits, targets)     # targets: (B, T)

**Repair.** Flatten the other side in the same order: `targets.flatten(0, 1)`.

**Not a fault** when both sides have the same axes in front.
"""

from math import prod
from typing import Final

from wellshaped.diagnose.fit.loss import (
    CLASS_LOSSES,
    kinds,
    leading_sizes,
    names_of,
    needs_of,
    only_mend,
    refused,
    repair_of,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS206", "flattened-side", 21
SEVERITY: Final = "error"

HEADLINES = {
    "one": "`{label}` got `{flat}` flattened and `{operand}` not",
    "none": "`{label}` takes rows, and got sequences",
    "rows": "`{label}` got `{flat}` flattened and `{operand}` not",
}
WHYS = {
    "one": "`{flat}` has {many} rows, {times} for each of the {rows} rows of `{operand}`, which "
    "still has them side by side: {shape}. The loss compares the first axes.",
    "none": "`{operand}` is {shape}: a batch of sequences. This loss takes one row of scores and "
    "one class number at a time.",
    "rows": "Each row of `{flat}` has its {count} numbers on one axis. A row of `{operand}`, "
    "{shape}, has as many on several, and the loss pairs them element by element.",
}
TITLES = {
    "flatten": "flatten batch and sequence axes of `{operand}`",
    "rows": "flatten `{operand}` behind its first axis",
}

FIRES = (
    """
logits, words = torch.randn(28, 5), torch.zeros(4, 7, dtype=torch.long)
F.cross_entropy(logits, words)
""",
    """
logits, words = torch.randn(4, 7, 5), torch.zeros(4, 7, dtype=torch.long)
F.multi_margin_loss(logits, words)
""",
    "out, images = torch.rand(4, 18), torch.rand(4, 2, 3, 3)\nF.binary_cross_entropy(out, images)",
)
QUIET = (
    """
logits, words = torch.randn(28, 5), torch.zeros(28, dtype=torch.long)
F.cross_entropy(logits, words)
""",
    """
logits, words = torch.randn(27, 5), torch.zeros(4, 7, dtype=torch.long)
F.cross_entropy(logits, words)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when flattening makes the call fit."""
    if refused(observation) is None:
        return None
    if (pair := _paired(observation)) is not None:
        return _of_rows(observation, *pair)
    mend = only_mend(observation)
    if mend is None or "flatten" not in kinds(mend):
        return None
    changed = observation.operand(mend.steps[0].argument)
    rows = leading_sizes(observation)
    flat = max(observation.operands, key=lambda each: each.shape[0] if each.shape else 0)
    if changed is None or not rows:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="one" if len(set(rows)) > 1 else "none",
        facts={
            **names_of(observation),
            "operand": changed.text,
            "flat": flat.text,
            "many": max(rows),
            "rows": min(rows),
            "times": max(rows) // max(1, min(rows)),
            "shape": names_of(observation)[f"{changed.role}_shape"],
        },
        blamed=(changed.role,),
        needs=needs_of(observation),
    )


def _paired(observation: Observation) -> tuple[Operand, Operand] | None:
    """The flattened side and the other one, where their rows hold as many numbers."""
    given, target = observation.operands[0], observation.operand("target")
    if target is None or observation.callee in CLASS_LOSSES:
        return None
    flat, other = sorted((given, target), key=lambda each: len(each.shape))
    rows = len(flat.shape) == 2 < len(other.shape) and flat.shape[0] == other.shape[0]
    return (flat, other) if rows and flat.shape[1] == prod(other.shape[1:]) else None


def _of_rows(observation: Observation, flat: Operand, other: Operand) -> Finding:
    facts = {
        "label": observation.label,
        "flat": flat.text,
        "operand": other.text,
        "count": flat.shape[1],
        "shape": shape_text(other.shape),
    }
    needs = needs_of(observation)
    return Finding(CODE, NAME, SEVERITY, observation, "rows", facts, (other.role,), needs)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Flatten the side that is not."""
    if finding.variant == "rows":
        change = Change(finding.blamed[0], ".flatten(1)")
        return (Repair("rows", {"operand": finding.facts["operand"]}, (change,)),)
    mend = only_mend(finding.observation)
    return (repair_of(mend, finding.observation, "flatten"),) if mend else ()
