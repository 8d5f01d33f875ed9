"""The weights of a loss do not line up with what they weigh.

**What happens.** `weight` of `cross_entropy` and its kin is one number for each class;
`pos_weight` and `weight` of the binary losses broadcast into the input from the right.

**Why.** The weights were counted on a set that lacks a class or has one more, or a vector
of class weights meets the last axis of an image, its width, instead of its channels.

    loss = F.binary_cross_entropy_with_logits(scores, masks, pos_weight=weights)
    # scores: (8, 9, 48, 64), weights: (9,)

**Repair.** One weight for each class; for channels in front of positions give it axes to
broadcast over: `weights.view(-1, 1, 1)`.

**Not a fault** when the weights broadcast into the input on purpose.
"""

from typing import Final

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.edits.call_edits import applied, call_of
from wellshaped.diagnose.fit.loss import CLASS_LOSSES, names_of, needs_of, refused
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Edit, Repair

CODE, NAME, PRIORITY = "WS207", "class-weights", 12
SEVERITY: Final = "error"

HEADLINES = {
    "classes": "`{label}` got {count} weights for {classes} classes",
    "channels": "`{label}` met `{operand}` with the last axis instead of the classes",
    "broadcast": "`{label}` cannot broadcast `{operand}` into its input",
}
WHYS = {
    "classes": "Axis 1 of `{input}` has one score for each of {classes} classes, and each class "
    "has one weight. `{operand}` has {count}.",
    "channels": "Broadcasting lines shapes up from the right, so the {count} weights meet the "
    "last axis of `{input}`, of size {last}. The axis with {count} classes is axis 1.",
    "broadcast": "`{operand}` is {shape}; it must have, from the right, the sizes of `{input}`, "
    "{input_shape}, or 1.",
}
TITLES = {
    "view": "line `{operand}` up with axis 1",
    "rows": "weigh the loss of each row, and take the mean",
}

FIRES = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4, dtype=torch.long)
weights = torch.ones(4)
F.cross_entropy(logits, labels, weight=weights)
""",
    """
scores, masks, weights = torch.randn(2, 3, 5, 6), torch.rand(2, 3, 5, 6), torch.ones(3)
F.binary_cross_entropy_with_logits(scores, masks, pos_weight=weights)
""",
)
QUIET = (
    """
logits, labels = torch.randn(4, 3), torch.zeros(4, dtype=torch.long)
F.cross_entropy(logits, labels, weight=torch.ones(3))
""",
    """
logits, labels = torch.randn(4, 3), torch.zeros(5, dtype=torch.long)
F.cross_entropy(logits, labels, weight=torch.ones(3))
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the contract blames a weight."""
    verdict = refused(observation)
    if verdict is None or verdict.blame is None or len(observation.operands[0].shape) < 1:
        return None
    weight = observation.operand(verdict.blame.argument)
    if weight is None or weight.role not in ("weight", "pos_weight") or weight.fact is None:
        return None
    if observation.callee in losses(takes="features"):
        return None  # its input has no axis of classes
    first = observation.operands[0]
    classes = first.shape[1] if len(first.shape) > 1 else first.shape[0]
    count = weight.shape[0] if weight.shape else 1
    if observation.callee in CLASS_LOSSES:
        variant = "classes"
    else:
        variant = "channels" if weight.shape == (classes,) else "broadcast"
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant=variant,
        facts={
            **names_of(observation),
            "operand": weight.text,
            "count": count,
            "classes": classes,
            "last": first.shape[-1],
            "shape": names_of(observation)[f"{weight.role}_shape"],
        },
        blamed=(weight.role,),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Axes to broadcast over, where the weights are those of the channels."""
    if finding.variant == "classes":
        return _per_row(finding)
    if finding.variant != "channels":
        return ()
    ones = ", 1" * (len(finding.observation.operands[0].shape) - 2)
    role = finding.blamed[0]
    return (Repair("view", {}, (Change(role, f".view(-1{ones})"),)),)


def _per_row(finding: Finding) -> tuple[Repair, ...]:
    """One weight for each row: the losses of the rows, each times its weight."""
    seen = finding.observation
    weight, target = seen.operand(finding.blamed[0]), seen.operand("target")
    node, span = call_of(seen.passage), seen.passage.span
    if weight is None or target is None or node is None or span is None:
        return ()
    named = [each for each in node.keywords if each.arg == "weight"]
    others = {each.arg for each in node.keywords} & {"reduction", "ignore_index"}
    if weight.shape != target.shape or len(target.shape) != 1 or len(named) != 1 or others:
        return ()
    start, end = named[0].col_offset, named[0].end_col_offset or 0
    raw = seen.passage.text.encode()
    rows = (raw[:start] + b'reduction="none"' + raw[end:]).decode()
    text = f"({rows} * {applied(weight.text, '')}).mean()"
    return (Repair("rows", edits=(Edit(seen.passage.place.file, span, text),)),)
