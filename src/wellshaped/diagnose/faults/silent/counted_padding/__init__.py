"""The log-probabilities of padding, or of what follows the end of a text, count in the loss.

**What happens.** `-(logprobs * adv).mean()`, or `logprobs.sum(1)`, runs over every position of a
padded batch. The model is trained to write padding, and the mean is divided by positions that
are none. A loop that draws on behind the end of a row, until all rows have ended, makes tokens of
the same kind.

**Why.** Padding has a token like any other, and with it a log-probability.

    loss = -(logprobs * adv).mean()
    loss = -((logprobs * adv) * mask).sum() / mask.sum()

**Repair.** Multiply with the mask, and divide by the number of real positions.

**How it is decided.** The table that is summed or averaged holds log-probabilities of tokens; a
mask in sight, made of the data in use, leaves out one token only, and all places of it. Or the
program notes row by row that one token was met, `done |= token == END`, and nothing is masked: what
stands behind that token counts. The run then computes what comes of the sum twice, with padding and
without: it is a fault where the loss of the next backward pass differs.

**Not a fault** where padding was multiplied with 0 before; a mean that is only printed; tokens that
stand inside the mask too, such as an end that is repeated and counted on purpose.
"""

from dataclasses import dataclass
from typing import Final

from wellshaped.diagnose.fit.tokens import WRITER, of_padding
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS312", "counted-padding", 30
SEVERITY: Final = "error"

HEADLINES = {
    "mean": "the mean of `{input}` counts log-probabilities of padding",
    "sum": "the sum of `{input}` counts log-probabilities of padding",
    "ended": "`{input}` counts log-probabilities behind the end of its rows",
}
_WHY = (
    "{positions} of {all} tokens are padding, and what the model says of them takes part. The loss "
    "is {loss} as written, and {otherwise} over the real tokens."
)
WHYS = {
    "mean": _WHY,
    "sum": _WHY,
    "ended": "{positions} of {all} tokens stand behind token {end}, which ends rows as the program "
    "has it, and what the model says of them takes part. The loss is {loss} as written, and "
    "{otherwise} without them.",
}
TITLES = {
    "masked": "count the real positions only",
    "mask": "multiply with the mask before",
    "ended": "multiply with a mask that is 0 behind the end of each row",
}

_MODEL = f"""{WRITER}
model, ids = Writer(), torch.tensor([[3, 4, 5, 1, 0], [5, 2, 7, 3, 1], [6, 1, 0, 0, 0]])
every, mask = model(ids)[:, :-1].log_softmax(-1), ids[:, 1:] != 0
logprobs = every.gather(2, ids[:, 1:, None]).squeeze(2)
"""
FIRES = (
    _MODEL
    + """
(-logprobs.mean()).backward()
""",
    _MODEL
    + """
F.softplus(-logprobs.sum(1)).mean().backward()
""",
    f"""{WRITER}
model, ids, done = Writer(), torch.tensor([[3], [5], [6]]), torch.zeros(3, dtype=torch.bool)
for word in torch.tensor([[3, 4, 5], [4, 1, 3], [5, 3, 4], [3, 5, 1]]):
    ids, done = torch.cat([ids, word[:, None]], 1), done | (word == 1)
logprobs = model(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2)
(-logprobs.mean()).backward()
""",
)
QUIET = (
    _MODEL
    + """
(-(logprobs * mask).sum() / mask.sum()).backward()
""",
    _MODEL
    + """
F.softplus(-(logprobs * mask).sum(1)).mean().backward()
""",
    _MODEL
    + """
print(logprobs.mean())
(-logprobs[mask].mean()).backward()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPadding(PaddingFacts):
    """Along how many axes is summed; `end` is the token that ends rows, where nothing is masked."""

    axes: int
    end: int | None = None


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a sum or mean of log-probabilities that a loss depends on, padding included."""
    known = observation.facts
    if not isinstance(known, CountedPadding):
        return None
    facts = of_padding(observation)
    variant = "mean" if observation.callee == "mean" else "sum"
    if known.end is not None:
        variant, facts["end"] = "ended", known.end
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, ("input",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The mask that is in sight, multiplied in; a mean is divided by its sum."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, CountedPadding)
    mask, span = seen.operand("mask"), seen.passage.span
    if finding.variant == "ended":
        return (Repair("ended"),)
    if mask is None or span is None or (finding.variant == "mean" and known.axes == 1):
        return (Repair("mask"),)
    given, file = seen.operands[0], seen.passage.place.file
    product = f"({given.text} * {mask.text})"
    if finding.variant == "mean":
        text = f"({product}.sum() / {mask.text}.sum())"
        return (Repair("masked", edits=(Edit(file, span, text),)),)
    at = given.passage
    edits = (Edit(file, at.span, product),) if at is not None and at.span is not None else ()
    return (Repair("masked", edits=edits),)
