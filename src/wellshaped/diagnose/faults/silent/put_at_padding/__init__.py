"""A score was put at the last position, where the shorter rows of the batch have padding.

**What happens.** `rewards[:, -1] += score` gives the score to the last position of the table, and
so does `torch.cat([zeros, score[:, None]], 1)`. In rows that end before it that is padding: a mask
drops the score, or it comes back to the real positions discounted once for each place of padding.
The same row learns from another reward in another batch.

**Why.** Rows are padded on the right to the longest of them. Position -1 is the end of the table,
not of the row.

    rewards[:, -1] += score
    rewards[torch.arange(len(rewards)), mask.sum(1).long() - 1] += score

**Repair.** Write at the last real position of each row.

**How it is decided.** A mask that the function or its callers hold, made of the data in use, says
that rows end before the last position; or tokens do, of which one ends rows in runs of several
lengths and stands nowhere else, and a mask that is applied later says the same. The run then
computes everything that comes of the table twice: as it is, and with the score at the last real
positions. It is a fault where the loss of the next backward pass differs.

**Not a fault** where rows are padded on the left; where all rows reach the last position; where the
place makes no difference, as with returns that are plain sums of what comes behind.
"""

from dataclasses import dataclass
from typing import Final

from wellshaped.diagnose.edits.call_edits import row_ends
from wellshaped.diagnose.fit.tokens import of_padding
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS308", "put-at-padding", 30
SEVERITY: Final = "error"

HEADLINES = {"": "what is put at the last position of `{input}` is put on padding"}
WHYS = {
    "": "Rows are padded on the right: {positions} of {all} positions are padding, and in shorter "
    "rows the last one is. The loss is {loss} as written, and {otherwise} with the values at the "
    "last real position of each row."
}
TITLES = {
    "ends": "write at the last real position of each row",
    "where": "write at the last real position, by the mask or the lengths",
}

_ROLLOUT = """
mask = torch.tensor([[1.0, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0]])
net, scores = nn.Linear(2, 1), torch.tensor([1.0, 2.0, 3.0])
logprobs = net(torch.randn(3, 5, 2)).squeeze(-1)
rewards = torch.zeros(3, 5)
"""
FIRES = (
    _ROLLOUT
    + """
rewards[:, -1] += scores
(-(logprobs * rewards * mask).sum() / mask.sum()).backward()
""",
    _ROLLOUT
    + """
rewards[:, -1] = scores
returns = (rewards * 0.9 ** torch.arange(5)).flip(1).cumsum(1).flip(1)
(-(logprobs * returns * mask).sum() / mask.sum()).backward()
""",
)
QUIET = (
    _ROLLOUT
    + """
rewards[torch.arange(3), mask.sum(1).long() - 1] += scores
(-(logprobs * rewards * mask).sum() / mask.sum()).backward()
""",
    _ROLLOUT
    + """
rewards[:, -1] = scores
(-(logprobs * rewards.flip(1).cumsum(1).flip(1) * mask).sum() / mask.sum()).backward()
""",
    _ROLLOUT
    + """
mask = mask.flip(1)
rewards[:, -1] = scores
(-(logprobs * rewards * mask).sum() / mask.sum()).backward()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PutAtPadding(PaddingFacts):
    """A score is put at the last position of every row, or of one that has the name `row`."""

    every_row: bool
    row: str = ""


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a last position that the record says is padding, and that a loss depends on."""
    if not isinstance(observation.facts, PutAtPadding):
        return None
    return Finding(CODE, NAME, SEVERITY, observation, "", of_padding(observation), ("input",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The last real position, by the lengths or the mask that are in sight."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, PutAtPadding)
    ends, span = row_ends(seen.operand("lengths"), seen.operand("mask")), seen.passage.span
    given, row = seen.operands[0].text, known.row
    if ends is None or span is None or not (known.every_row or row):
        return (Repair("where"),)
    text = f"{given}[torch.arange(len({given})), {ends}]"
    if not known.every_row:
        text = f"{given}[{row}, ({ends})[{row}]]"
    return (Repair("ends", edits=(Edit(seen.passage.place.file, span, text),)),)
