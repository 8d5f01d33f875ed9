"""A threshold of one half met raw scores, not probabilities.

**What happens.** A model is trained with `BCEWithLogitsLoss` and evaluated by `score > 0.5`.
The accuracy, recall or confusion counts are those of another threshold.

**Why.** A loss with logits applies the sigmoid itself, so that the model gives raw scores.
Where the sigmoid is one half, the score is 0; a score of 0.5 is a probability of 0.62.

    hits = (model(x) > 0.5) == y.bool()
    hits = (model(x) > 0) == y.bool()

**Repair.** `score.sigmoid() > 0.5`, or `score > 0`.

**How it is decided.** The scores that are compared with exactly 0.5 come straight out of the
layer whose scores a loss with logits was given before.

**Not a fault** with any other threshold, behind a sigmoid or softmax, or where no loss with
logits was seen.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS508", "threshold-on-scores", 30
SEVERITY: Final = "error"

HEADLINES = {"": "`{input}` holds raw scores, and is compared with 0.5"}
WHYS = {
    "": "The model is trained with a loss that applies the sigmoid itself: `{input}` is a score, "
    "not a probability. A score of 0.5 is a probability of 0.62; one half is at 0.",
}
TITLES = {"sigmoid": "compare the sigmoid of `{input}`"}

FIRES = (
    """
x, y, model = torch.randn(8, 3), torch.ones(8, 1), nn.Linear(3, 1)
F.binary_cross_entropy_with_logits(model(x), y)
score = model(x)
score > 0.5
""",
)
QUIET = (
    """
x, y, model = torch.randn(8, 3), torch.ones(8, 1), nn.Linear(3, 1)
F.binary_cross_entropy_with_logits(model(x), y)
torch.sigmoid(model(x)) > 0.5
""",
    """
x, y, model = torch.randn(8, 3), torch.ones(8, 1), nn.Linear(3, 1)
F.mse_loss(model(x), y)
model(x) > 0.5
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdOnScores(Facts):
    """Scores that a loss with logits was given are compared with one half."""


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of a threshold."""
    if not isinstance(observation.facts, ThresholdOnScores):
        return None
    facts: dict[str, Any] = {"input": display_name(observation.operands[0])}
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, (observation.operands[0].role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The sigmoid before the comparison."""
    return (Repair("sigmoid", {}, (Change(finding.observation.operands[0].role, ".sigmoid()"),)),)
