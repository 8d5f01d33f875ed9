"""A loss compared every prediction with every target, and said nothing.

**What happens.** `MSELoss` on `(64, 1)` and `(64,)` broadcasts both to `(64, 64)` and
averages 4096 pairs instead of 64 rows. Ten losses of torch do so without a word; four more
print a warning.

**Why.** Broadcasting pairs axes from the right: the one column meets the one vector as a
table. The mean of that table is smallest when every prediction is the mean of the targets,
so training proceeds, the printed loss falls, and the inputs are ignored.

    pred = model(x)                             # (64, 1)
    loss = nn.MSELoss()(pred, target)           # target: (64,)

**Repair.** Make the shapes equal: `target.unsqueeze(1)`, or `pred.squeeze(1)`.

**Not a fault** where the documentation describes it: a `weight` that broadcasts into the
input, a variance with one axis of size 1. Nor where an axis was added for it on the spot,
`target.unsqueeze(1)`, and every row keeps its own target.
"""

from math import prod
from typing import Final

from wellshaped.diagnose.fit.loss import mends, names_of, needs_of, repair_of, verdict_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS301", "silent-broadcast", 30
SEVERITY: Final = "error"

HEADLINES = {
    "all_pairs": "`{label}` compared every prediction with every target",
    "stretched": "`{label}` stretched its operands against each other",
}
WHYS = {
    "all_pairs": "The loss runs over {product} = {pairs} pairs instead of {rows} rows. It is "
    "smallest when every prediction is the mean of the targets, so training proceeds and "
    "ignores the inputs.",
    "stretched": "The operands meet as {broadcast}, {pairs} elements: an axis of size 1 is "
    "repeated against an axis it does not belong to. The value is the mean of those pairs, "
    "not the loss of the rows.",
}
TITLES = {
    "add": "give `{operand}` the missing axis",
    "drop": "drop axis {axis} of `{operand}`",
    "other": "align `{operand}`",
}

FIRES = (
    """
pred, target = torch.randn(8, 1), torch.randn(8)
nn.MSELoss()(pred, target)
""",
    """
logs, probabilities = torch.randn(8, 3).log_softmax(1), torch.rand(8, 1, 3)
F.kl_div(logs, probabilities, reduction="sum")
""",
    """
a, b, label = torch.randn(8), torch.randn(8), torch.ones(1)
F.margin_ranking_loss(a, b, label)
""",
)
QUIET = (
    """
pred, target = torch.randn(8, 1), torch.randn(8, 1)
nn.MSELoss()(pred, target)
""",
    """
pred, target, var = torch.randn(8, 3), torch.randn(8, 3), torch.rand(8, 1)
F.gaussian_nll_loss(pred, target, var)
""",
    """
a, b, label = torch.randn(8, 5), torch.randn(8, 5), torch.ones(8)
F.margin_ranking_loss(a, b, label.unsqueeze(1))
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a loss call that torch accepts outside its documented arrangement."""
    verdict = verdict_of(observation)
    if observation.kind != "loss" or verdict is None or verdict.outcome != "hazard":
        return None
    shapes = [each.shape for each in observation.operands]
    broadcast = _broadcast(shapes)
    if broadcast is None or verdict.blame is None:
        return None
    if _asked_for(observation, verdict.blame.argument):
        return None
    rows = shapes[0][0] if shapes[0] else 1
    pairs = prod(broadcast)
    table = sum(size == rows for size in broadcast) > 1 and pairs == rows * rows
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="all_pairs" if table else "stretched",
        facts={
            **names_of(observation),
            "product": " x ".join(str(size) for size in broadcast if size != 1) or "1",
            "pairs": pairs,
            "rows": rows,
            "broadcast": shape_text(broadcast),
        },
        blamed=(verdict.blame.argument,),
        needs=needs_of(observation),
        note=phrase("broadcast_to", shape=shape_text(broadcast)),
        needs_note=phrase("one_shape_for_both" if len(shapes) == 2 else "one_shape_for_all"),
    )


def _asked_for(observation: Observation, blamed: str) -> bool:
    """Whether an axis was added in order to broadcast, and every row keeps its own target."""
    operand = observation.operand(blamed)
    nearest = operand.origins[0].operation if operand and operand.origins else ""
    shapes = [each.shape for each in observation.operands]
    rows = len({shape[:1] for shape in shapes}) == 1 and len({len(shape) for shape in shapes}) == 1
    return nearest == "unsqueeze" and rows


def _broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    sizes = [{size for size in column if size != 1} for column in zip(*padded, strict=True)]
    if any(len(found) > 1 for found in sizes):
        return None
    return tuple(max(found, default=1) for found in sizes)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Align the operands, where there is one way to."""
    found = mends(finding.observation)
    if len(found) != 1 or not found[0].steps:
        return ()
    kind = found[0].steps[0].kind
    title = kind if kind in TITLES else "other"
    return (repair_of(found[0], finding.observation, title),)
