"""The model has another number of outputs than the target has values.

**What happens.** The rows agree, and another axis does not: `(B, 5)` predictions against
`(B, 3)` targets, `(B, C, 56, 56)` scores against a `(B, 224, 224)` map, class numbers where
a row of zeros and ones is needed.

**Why.** The last layer was built for another number of outputs, the target lost or gained
columns on its way, or the map was not scaled to the size of the scores.

    head = nn.Linear(64, 5)
    loss = F.mse_loss(head(x), y)               # y: (B, 3)

**Repair.** Build the last layer for the values the target has, or select the columns that
are meant. For a map: `F.interpolate` the scores to the size of the target. For class numbers:
`F.one_hot(target, C).float()`, if each row has one class; a loss for classes is the other way.
Where scores of `words[:, :-1]` meet all words: the words without the first, `words[:, 1:]`.

**Not a fault** when the shapes agree, or differ by axes of size 1 only.
"""

from typing import Final

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.edits.call_edits import applied
from wellshaped.diagnose.edits.layer_size_edits import rebuilt_output
from wellshaped.diagnose.fit.loss import CLASS_LOSSES, names_of, needs_of, only_mend, refused
from wellshaped.diagnose.fit.products import beside_each_other, crossed_product
from wellshaped.diagnose.fit.sequences import other_end
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Edit, Repair

CODE, NAME, PRIORITY = "WS205", "output-count", 41
SEVERITY: Final = "error"

HEADLINES = {
    "columns": "`{label}` got {first} predictions per row for {second} targets",
    "crossed": "`{label}` got a score for every pair of {first} rows, and one target per row",
    "index": "`{label}` needs a value for each output, and got one class number per row",
    "per_row": "`{label}` got one target per row for {first} predictions",
    "map": "`{label}` got scores and a target of different sizes: {first} and {second}",
    "steps": "`{label}` got {first} steps of scores for {second} targets",
}
WHYS = {
    "columns": "Axis {axis} of `{input}` has size {first}, that of `{target}` has {second}. The "
    "loss pairs them element by element, so the last layer and the target must agree on how "
    "many values a row has.",
    "crossed": "`{product}` multiplies each row of one table with every row of the other. "
    "`{target}` has one number for the rows that stand beside each other.",
    "index": "`{input}` has {first} scores per row and each is compared with a target of its own. "
    "`{target}` holds one number per row, the number of a class, as losses for one class out "
    "of many take it.",
    "per_row": "Each row of `{input}` has {first} scores and `{target}` has one number for the "
    "row. The loss pairs element by element: it needs one score per row, or a target for each "
    "score.",
    "map": "The scores have {first} positions and the target {second}. A map of labels is not "
    "scaled by the loss.",
    "steps": "Per sequence there are {first} positions with scores and {second} targets. One "
    "side has a step that the other does not.",
}
TITLES = {
    "rowwise": "multiply each row with the row beside it, and add up",
    "add": "use the target of a row for each of its scores",
    "rebuild": "build the last layer with `{setting}={value}`",
    "spread": "spread the class numbers of `{target}` over the outputs, one-hot",
    "scale": "scale `{input}` to the size of `{target}`",
    "steps": "cut `{operand}` to the steps of the other side",
}

FIRES = (
    """
users, items, clicks = torch.randn(8, 5), torch.randn(8, 5), torch.ones(8)
F.binary_cross_entropy_with_logits(users @ items.t(), clicks)
""",
    """
pred, target = torch.randn(8, 5), torch.randn(8, 3)
F.mse_loss(pred, target)
""",
    """
logits, labels = torch.randn(8, 5), torch.zeros(8)
F.binary_cross_entropy_with_logits(logits, labels)
""",
    """
scores, labels = torch.randn(2, 3, 7, 7), torch.zeros(2, 14, 14, dtype=torch.long)
F.cross_entropy(scores, labels)
""",
    """
a, b, label = torch.randn(8, 5), torch.randn(8, 5), torch.ones(8)
nn.MarginRankingLoss()(a, b, label)
""",
    """
scores, labels = torch.randn(2, 3, 7), torch.zeros(2, 8, dtype=torch.long)
F.cross_entropy(scores, labels)
""",
    """
words = torch.zeros(2, 8, dtype=torch.long)
scores = nn.Embedding(9, 9)(words[:, :-1]).transpose(1, 2)
F.cross_entropy(scores, words)
""",
    """
words = torch.zeros(2, 8, dtype=torch.long)
targets = words[:, 1:]
F.cross_entropy(nn.Embedding(9, 9)(words).transpose(1, 2), targets)
""",
)
QUIET = (
    """
pred, target = torch.randn(8, 5), torch.randn(8, 5)
F.mse_loss(pred, target)
""",
    """
logits, labels = torch.randn(8, 1), torch.zeros(8)
F.binary_cross_entropy_with_logits(logits, labels)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when rows agree, an axis behind them does not, and no reading helps."""
    if refused(observation) is None or only_mend(observation) is not None:
        return None
    first, target = observation.operands[0], observation.operand("target")
    if target is None or not first.shape or first.shape[:1] != target.shape[:1]:
        return None
    variant, axis = _variant(observation.callee, first.shape, target.shape)
    if not variant:
        return None
    inner, outer = _sizes(observation.callee, first.shape, target.shape, axis)
    product = crossed_product(first)
    if variant in ("index", "per_row") and product is not None:
        facts = {**names_of(observation), "first": inner, "product": product.passage.text}
        needs, made = needs_of(observation), product.passage
        blamed = (first.role,)
        return Finding(
            CODE, NAME, SEVERITY, observation, "crossed", facts, blamed, needs, origin=made
        )
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant=variant,
        facts={**names_of(observation), "first": inner, "second": outer, "axis": axis},
        blamed=("target",),
        needs=needs_of(observation),
    )


def _variant(callee: str, first: tuple[int, ...], target: tuple[int, ...]) -> tuple[str, int]:
    if callee in losses(takes="features"):
        return "", 0
    if callee in CLASS_LOSSES:
        if len(target) != len(first) - 1 or first[2:] == target[1:]:
            return "", 0
        return ("steps" if len(first) == 3 else "map"), 1
    if len(first) == 2 and len(target) == 1 and first[1] > 1:
        return ("index" if callee.startswith("binary") else "per_row"), 1
    if len(first) != len(target):
        return "", 0
    apart = [axis for axis in range(1, len(first)) if first[axis] != target[axis]]
    return ("columns", apart[0]) if len(apart) == 1 else ("", 0)


def _sizes(
    callee: str, first: tuple[int, ...], target: tuple[int, ...], axis: int
) -> tuple[str, str]:
    if callee in CLASS_LOSSES:
        return " x ".join(map(str, first[2:])), " x ".join(map(str, target[1:]))
    return str(first[axis]), str(target[axis]) if axis < len(target) else "1"


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The last layer for as many values; a row of zeros and a one; a scaled map; a step less."""
    seen = finding.observation
    scores, target = seen.operands[0], seen.operand("target")
    assert target is not None
    if finding.variant == "crossed" and (product := crossed_product(scores)) is not None:
        return (Repair("rowwise", edits=beside_each_other(product)),)
    if finding.variant == "per_row":
        return (Repair("add", {}, (Change("target", ".unsqueeze(1)"),)),)
    if finding.variant == "columns":
        axis = finding.facts["axis"]
        first = rebuilt_output(scores, axis, target.shape[axis])
        return (*first, *rebuilt_output(target, axis, scores.shape[axis]))
    if finding.variant == "index" and "whole" in target.traits:
        number = target.text if target.fact and target.fact.dtype == "int64" else _long(target)
        spread = f"torch.nn.functional.one_hot({number}, {scores.shape[1]}).float()"
        return (Repair("spread", edits=_instead(target, spread)),)
    if finding.variant == "map" and len(scores.shape) == 4:
        sized = f'size={applied(target.text, ".shape[-2:]")}, mode="bilinear"'
        code = f"torch.nn.functional.interpolate({scores.text}, {sized})"
        return (Repair("scale", edits=_instead(scores, code)),)
    return _cut(scores, target) if finding.variant == "steps" else ()


def _cut(scores: Operand, target: Operand) -> tuple[Repair, ...]:
    """The longer side without a step, where the shorter one was cut at the other end."""
    more = scores.shape[2] - target.shape[1]
    if abs(more) != 1:
        return ()
    long, short = (scores, target) if more > 0 else (target, scores)
    cut = other_end(short, 2 if more > 0 else 1)
    change = Change(long.role, cut)
    return (Repair("steps", {"operand": long.text}, (change,)),) if cut else ()


def _long(operand: Operand) -> str:
    return applied(operand.text, ".long()")


def _instead(operand: Operand, text: str) -> tuple[Edit, ...]:
    passage = operand.passage
    if passage is None or passage.span is None:
        return ()
    return (Edit(passage.place.file, passage.span, text),)
