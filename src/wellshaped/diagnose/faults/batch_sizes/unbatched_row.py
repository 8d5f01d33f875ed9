"""One row of scores without its batch axis met a target that has one.

**What happens.** `cross_entropy` takes `(C,)` with `(1,)` on the way there and refuses on
the way back, in `backward()`: "size mismatch (got input: [5], target: [1])".

**Why.** A batch of one row lost its batch axis, in a `.squeeze()`, an index or a reduction.
The forward pass accepts one class number for one row; the backward pass does not.

    logits = head(pooled[0])                    # (5,): the row without its batch axis
    loss = F.cross_entropy(logits, label)       # label: (1,)
    loss.backward()                             # raises here

**Repair.** Keep the batch axis where it is lost, or give it back: `logits.unsqueeze(0)`.

**Not a fault** when a single row `(C,)` meets a single number `()`.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import CLASS_LOSSES, names_of, needs_of, verdict_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS402", "unbatched-row", 10
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` got one row of scores without its batch axis"}
WHYS = {
    "": "`{input}` is {input_shape}: {classes} scores and no batch axis; `{target}` has one, "
    "{target_shape}. The loss accepts the pair and cannot go back through it, so `backward()` "
    "raises.",
}
TITLES = {"add": "give `{operand}` its batch axis back"}

FIRES = (
    """
logits, label = torch.randn(5, requires_grad=True), torch.tensor([1])
F.cross_entropy(logits, label).backward()
""",
)
QUIET = (
    """
logits, label = torch.randn(5, requires_grad=True), torch.tensor(1)
F.cross_entropy(logits, label).backward()
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a class loss that torch accepts and cannot differentiate."""
    verdict = verdict_of(observation)
    if verdict is None or observation.callee not in CLASS_LOSSES:
        return None
    if verdict.outcome != "hazard" or verdict.backward != "raises":
        return None
    scores = observation.operands[0]
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            **names_of(observation),
            "classes": scores.shape[0] if scores.shape else 0,
            "operand": scores.text,
        },
        blamed=("input",),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The batch axis; the place where it was lost is better, where it is known."""
    return (Repair("add", {}, (Change("input", ".unsqueeze(0)"),)),)
