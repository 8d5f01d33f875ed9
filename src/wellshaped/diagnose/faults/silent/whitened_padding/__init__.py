"""Values were scaled by a mean or a spread that padding took part in.

**What happens.** `(adv - adv.mean()) / adv.std()` runs over every position of a padded table, and
the mask comes later. The zeros or leftovers of padding pull the mean and the spread, so the
real values are neither centred nor scaled, and by how much depends on the other rows.

**Why.** `mean` and `std` count every element. A mask that is applied afterwards takes padding out
of the loss, not out of the numbers that the real values were scaled by.

    adv = (adv - adv.mean()) / adv.std()
    adv = (adv - adv[mask].mean()) / adv[mask].std()

**Repair.** Take the mean and the spread of the real positions only.

**How it is decided.** Where a table meets a mask of its own shape, of ones and zeros with one run
of ones in each row and rows that differ, the run follows its elements back, each in its place. It
is a fault where they were divided by a spread, or a mean was taken off, that one of those tables
gave over all its positions.

**Not a fault** is a mean over a mask (`adv[mask].mean()`, `(adv * mask).sum() / mask.sum()`);
numbers of rows, such as one reward for each answer; rows that are equally long; a mask of scattered
positions, as for missing labels or masked words.
"""

from dataclasses import dataclass
from typing import Final

from wellshaped.diagnose.fit.tokens import of_padding
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS310", "whitened-padding", 30
SEVERITY: Final = "error"

HEADLINES = {
    "spread": "the spread that `{input}` is divided by counts padding",
    "mean": "the mean that is taken off `{input}` counts padding",
}
WHYS = {
    "spread": "`{label}` runs over all {all} positions, and the mask that is applied later says "
    "that {positions} of them are padding. The real values are scaled by what stands there.",
    "mean": "The mean runs over all {all} positions, and the mask that is applied later says that "
    "{positions} of them are padding. The real values are shifted by what stands there.",
}
TITLES = {
    "real": "take the real positions only",
    "masked": "give the mask to where the mean and the spread are taken",
}

_MASKED = """
adv, mask = torch.randn(3, 5), torch.arange(5) < torch.tensor([[3], [5], [2]])
logprobs = nn.Linear(2, 1)(torch.randn(3, 5, 2)).squeeze(-1)
"""
FIRES = (
    _MASKED
    + """
adv = (adv - adv.mean()) / (adv.std() + 1e-8)
-(logprobs * adv * mask).sum() / mask.sum()
""",
    _MASKED
    + """
adv = adv - torch.mean(adv)
-torch.where(mask, logprobs * adv, 0.0).sum() / mask.sum()
""",
)
QUIET = (
    _MASKED
    + """
adv = (adv - adv[mask].mean()) / (adv[mask].std() + 1e-8)
-(logprobs * adv * mask).sum() / mask.sum()
""",
    _MASKED
    + """
mean = (adv * mask).sum() / mask.sum()
spread = (((adv - mean) ** 2 * mask).sum() / mask.sum()).sqrt()
-(logprobs * (adv - mean) / spread * mask).sum() / mask.sum()
""",
    _MASKED
    + """
score = torch.randn(3, 1)
adv = ((score - score.mean()) / score.std()).expand(3, 5)
-(logprobs * adv * mask).sum() / mask.sum()
""",
    _MASKED
    + """
labelled = torch.tensor([[1, 0, 1, 0, 1], [0, 1, 1, 0, 1], [1, 1, 0, 1, 0]])
target = (adv - adv.mean()) / adv.std()
((logprobs - target) ** 2 * labelled).sum() / labelled.sum()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhitenedPadding(PaddingFacts):
    """Which mean or spread took padding in; `plain` is whether all are one number each.

    `mask` is the name of a mask in sight, and whether it is boolean.
    """

    found: str
    plain: bool
    mask: tuple[str, bool] | None


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a mean or a spread of a table whose elements met a mask later."""
    known = observation.facts
    if not isinstance(known, WhitenedPadding):
        return None
    facts = {**of_padding(observation), "label": observation.label}
    variant = "mean" if known.found == "mean" else "spread"
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, ("input",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Every mean and spread of the mask that is in sight, where they are one number each."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, WhitenedPadding)
    mask, at = known.mask, [each.passage for each in seen.operands]
    if mask is None or not known.plain:
        return (Repair("masked"),)
    name = mask[0] if mask[1] else f"{mask[0]}.bool()"
    edits = [Edit(p.place.file, p.span, f"{p.text}[{name}]") for p in at if p and p.span]
    return (Repair("real", edits=tuple(edits)),) if len(edits) == len(at) else (Repair("masked"),)
