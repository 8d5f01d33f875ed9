"""A loss for classes got its class numbers as a column, or as an image with a channel.

**What happens.** `cross_entropy` and its kin take one class number per row: a vector `(B,)`
for inputs `(B, C)`, a map `(B, H, W)` for inputs `(B, C, H, W)`. A target `(B, 1)` or
`(B, 1, H, W)` has one axis too many.

**Why.** A second axis on the target means one label per position. These inputs have no
such positions, so torch refuses. Data sets deliver columns when labels come from a table
with one column, masks keep the channel of the image file they were read from.

    logits = model(images)                      # (32, 10)
    loss = F.cross_entropy(logits, labels)      # labels: (32, 1)

**Repair.** Drop that axis, by its number: `labels.squeeze(1)`. A bare `.squeeze()` works
until a batch has one row; then the batch axis goes too.

**Not a fault** when the target holds probabilities of the input's shape, or class numbers
for the positions of a sequence or an image.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import (
    CLASS_LOSSES,
    mends,
    names_of,
    needs_of,
    repair_of,
    verdict_of,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS102", "column-target", 20
SEVERITY: Final = "error"

HEADLINES = {
    "column": "`{label}` got class numbers as a column, not as a vector",
    "channel": "`{label}` got a map of class numbers with a channel axis",
}
WHYS = {
    "column": "Each row has one class number, but the numbers are stored as a {rows} x 1 "
    "table. A second axis on the target would mean one label per position, and these "
    "inputs have no positions.",
    "channel": "The target has one class number per position, kept under an axis of size 1, "
    "as a mask read from an image file has. The loss takes the classes from axis 1 of "
    "`{input}` and wants the target without such an axis.",
}
TITLES = {"drop": "drop axis {axis} of `{operand}`"}

FIRES = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4, 1, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
    """
logits, mask = torch.randn(2, 3, 5, 6), torch.zeros(2, 1, 5, 6, dtype=torch.long)
nn.CrossEntropyLoss()(logits, mask)
""",
)
QUIET = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
    """
logits, labels = torch.randn(4, 3), torch.zeros(5, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when dropping an axis of size 1 from the target is the one thing to do."""
    verdict = verdict_of(observation)
    if verdict is None or verdict.accepted or observation.callee not in CLASS_LOSSES:
        return None
    found = mends(observation)
    if len(found) != 1 or [step.kind for step in found[0].steps][:1] != ["drop"]:
        return None
    if any(step.argument != "target" for step in found[0].steps):
        return None
    target = observation.operand("target")
    assert target is not None
    shape = target.shape
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="column" if len(shape) == 2 else "channel",
        facts={**names_of(observation), "rows": shape[0]},
        blamed=("target",),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Drop the axis."""
    return tuple(
        repair_of(each, finding.observation, "drop") for each in mends(finding.observation)
    )
