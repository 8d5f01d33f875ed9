"""A loss got probabilities where it wants scores, or scores where it wants probabilities.

**What happens.** `softmax` before `cross_entropy`, `sigmoid` before `BCEWithLogitsLoss`, raw
scores or probabilities into `NLLLoss` and `KLDivLoss`, scores cut to [0, 1] into `BCELoss`.
The shapes are right, the loss falls a little, and training stops early.

**Why.** `cross_entropy` and `BCEWithLogitsLoss` apply the activation themselves. Applied
twice it squeezes all scores into [0, 1]: the loss cannot come near 0 and its gradients are
small. `NLLLoss` and `KLDivLoss` take logarithms of probabilities, which are never positive.

    loss = F.cross_entropy(scores.softmax(1), y)     # softmax twice
    loss = F.cross_entropy(scores, y)

**Repair.** Drop the activation before a loss that has its own; add `log_softmax` before one
that has none.

**How it is decided.** The run follows the input of the loss back to the operation that made
its values, beneath views and choices; where a loss wants logarithms, positive values tell.

**Not a fault** is `log_softmax` before `cross_entropy`, which changes nothing; probabilities
as the target; a softmax further back, as in attention; an input that no parameter took part in.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import suffixed
from wellshaped.diagnose.fit.loss import names_of
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS507", "wrong-activation", 30
SEVERITY: Final = "error"

HEADLINES = {
    "softmax": "`{label}` got probabilities, and applies softmax itself",
    "sigmoid": "`{label}` got the result of a sigmoid, and applies its own activation",
    "probabilities": "`{label}` wants logarithms of probabilities, and got probabilities",
    "raw": "`{label}` wants logarithms of probabilities, and got raw scores",
    "clamped": "`{label}` wants probabilities, and got raw scores cut to [0, 1]",
}
WHYS = {
    "softmax": "With softmax twice all scores lie in [0, 1]: the loss cannot come near 0, and its "
    "gradients are small however wrong a row is.",
    "sigmoid": "A sigmoid before the activation of the loss puts all scores into [0, 1]: the loss "
    "cannot come near 0, and its gradients are small.",
    "probabilities": "The loss takes its input as a logarithm, which is never positive. Of "
    "probabilities it computes another quantity, without a minimum where it should be.",
    "raw": "The loss takes its input as a logarithm of a probability, which is never positive. Raw "
    "scores make it fall without bound: training raises all scores.",
    "clamped": "Cutting scores to [0, 1] gives numbers that look like probabilities, and no "
    "gradient where a score lies outside.",
}
TITLES = {
    "drop": "drop the activation before the loss",
    "log": "give the loss `log_softmax` of `{operand}`",
    "log_of": "take the logarithm: `log_softmax` instead of `softmax`",
    "sigmoid": "use `sigmoid` instead of cutting, or a loss with logits",
}

FIRES = (
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
out = F.softmax(nn.Linear(3, 4)(x), dim=1)
F.cross_entropy(out, y)
""",
    """
x, y = torch.randn(8, 3), torch.rand(8, 1)
net = nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())
nn.BCEWithLogitsLoss()(net(x), y)
""",
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
out = nn.Linear(3, 4)(x)
nn.NLLLoss()(out, y)
""",
    """
x, y = torch.randn(8, 3), torch.rand(8, 4).softmax(1)
out = nn.Linear(3, 4)(x).softmax(dim=1)
nn.KLDivLoss(reduction="batchmean")(out, y)
""",
    """
x, y = torch.randn(8, 3), torch.rand(8, 1)
score = nn.Linear(3, 1)(x)
out = score.clamp(0, 1)
F.binary_cross_entropy(out, y)
""",
)
QUIET = (
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
F.cross_entropy(nn.Linear(3, 4)(x).log_softmax(1), y)
""",
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
F.nll_loss(nn.Linear(3, 4)(x).softmax(1).log(), y)
""",
    """
x, y = torch.randn(8, 3), torch.rand(8, 1)
F.binary_cross_entropy(torch.sigmoid(nn.Linear(3, 1)(x)).clamp(0.01, 0.99), y)
""",
    """
x, y = torch.randn(8, 3), torch.rand(8, 4).softmax(1)
F.cross_entropy(nn.Linear(3, 4)(x), y)
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongActivation(Facts):
    """What the input of a loss is, by the activation that made it or by its values."""

    found: str


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of the input of a loss."""
    known = observation.facts
    if not isinstance(known, WrongActivation):
        return None
    facts: dict[str, Any] = names_of(observation)
    made = observation.operand("activation")
    origin = made.passage if made else None
    return Finding(CODE, NAME, SEVERITY, observation, known.found, facts, ("input",), origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Take the activation away, or put the one that is missing before the loss."""
    seen = finding.observation
    if finding.variant in ("softmax", "sigmoid"):
        return tuple(_replaced(seen, "drop", ""))
    if finding.variant == "clamped":
        return tuple(_replaced(seen, "sigmoid", ".sigmoid()"))
    given = seen.operand("input")
    facts = {"operand": given.text if given else "input"}
    made = seen.operand("activation")
    if finding.variant == "probabilities" and made is not None and made.passage is not None:
        return tuple(_logged(made.passage.text, seen))
    axis = 1 if given is not None and len(given.shape) > 1 else 0
    passage = given.passage if given else None
    edits = suffixed(passage, f".log_softmax({axis})") if passage is not None else ()
    return (Repair("log", facts, edits=edits),)


def _replaced(seen: Observation, title: str, suffix: str) -> list[Repair]:
    """What stands inside the activation in its place, or the layer taken out of its list."""
    made, inner, item = (seen.operand(role) for role in ("activation", "inner", "item"))
    if inner is not None and inner.passage and made is not None and made.passage:
        span, plain = made.passage.span, inner.text.replace(".", "").isidentifier()
        text = inner.text if plain or not suffix or inner.text.endswith(")") else f"({inner.text})"
        edit = Edit(made.passage.place.file, span, text + suffix) if span is not None else None
        return [Repair(title, edits=(edit,) if edit else ())]
    if item is not None and item.passage is not None and item.passage.span is not None:
        edit = Edit(item.passage.place.file, item.passage.span, "")
        return [Repair(title, edits=(edit,))]
    return [Repair(title)]


def _logged(text: str, seen: Observation) -> list[Repair]:
    """`softmax` spelled `log_softmax` where it stands, as a function or as a layer."""
    made = seen.operand("activation")
    assert made is not None
    assert made.passage is not None
    span, file = made.passage.span, made.passage.place.file
    for short, long in ((".softmax(", ".log_softmax("), ("Softmax(", "LogSoftmax(")):
        if text.count(short) == 1 and span is not None:
            return [Repair("log_of", edits=(Edit(file, span, text.replace(short, long)),))]
    return [Repair("log_of")]
