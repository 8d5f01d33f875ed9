"""A loss refused its operands, and no rule knows the mechanism.

**What happens.** The shapes or dtypes of the operands are none of the arrangements the loss
documents, and torch refuses them.

**Why.** The contract of the loss names the argument that does not fit; how it came to be so
is not among the known mechanisms.

    F.triplet_margin_loss(torch.randn(8, 4), torch.randn(8, 4), torch.randn(4))

**Repair.** Bring the named argument to the arrangement under `needs`.

**Not a fault** when torch accepts the call.
"""

from typing import Final

from wellshaped.diagnose.edits.layer_size_edits import rebuilt_output
from wellshaped.diagnose.fit.loss import mends, names_of, needs_of, refused, repair_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import Phrase
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS209", "loss-shapes", 90
SEVERITY: Final = "error"

_HEADLINE = "`{label}` cannot use `{operand}` as its `{role}`"
WHYS = {
    "shape": "`{operand}` is {got} where {wanted} is needed.",
    "size": "Axis {axis} of `{operand}` has size {got} where {wanted} is needed.",
    "into": "Axis {axis} of `{operand}` has size {got} where {wanted} or 1 is needed.",
    "count": "`{operand}` has {got} axes, and {wanted} are needed.",
    "missing": "`{operand}` is missing.",
    "other": "`{label}` says of `{operand}`: {reason}.",
}
HEADLINES = dict.fromkeys(WHYS, _HEADLINE)
TITLES = {
    "align": "align the operands",
    "rebuild": "build the layer of `{operand}` with `{setting}={value}`",
}

FIRES = (
    """
anchor, positive, negative = torch.randn(8, 4), torch.randn(8, 4), torch.randn(4)
F.triplet_margin_loss(anchor, positive, negative)
""",
)
QUIET = (
    """
anchor, positive, negative = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8, 4)
F.triplet_margin_loss(anchor, positive, negative)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on whatever the contract refuses."""
    verdict = refused(observation)
    if verdict is None or verdict.blame is None:
        return None
    blamed = observation.operand(verdict.blame.argument)
    cause = verdict.blame.cause or Phrase("other", {"reason": verdict.blame.reason})
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant=cause.name,
        facts={
            **names_of(observation),
            "operand": blamed.text if blamed else verdict.blame.argument,
            "role": verdict.blame.argument,
            "axis": verdict.blame.axis,
            **cause.facts,
        },
        blamed=(verdict.blame.argument,),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """A reading, where there is exactly one."""
    found = mends(finding.observation)
    if len(found) != 1 or not found[0].steps:
        return _resized(finding)
    return (repair_of(found[0], finding.observation, "align"),)


def _resized(finding: Finding) -> tuple[Repair, ...]:
    """The layer of an operand that differs from the first in one axis alone."""
    first = finding.observation.operands[0]
    odd = finding.observation.operand(finding.blamed[0])
    if odd is None or odd is first or len(odd.shape) != len(first.shape):
        return ()
    pairs = enumerate(zip(odd.shape, first.shape, strict=True))
    apart = [axis for axis, (a, b) in pairs if a != b]
    return rebuilt_output(odd, apart[0], first.shape[apart[0]]) if len(apart) == 1 else ()
