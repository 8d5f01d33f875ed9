"""Tokens meet scores that were given for other tokens, one place off.

**What happens.** A model of the next token gives at each position the scores of what comes behind
it. `logprobs.gather(2, ids[..., None])` looks up at each position the token the model has just
read there. Nothing is refused; a policy is trained on the probability of repeating itself, a
language model learns to copy its input. Two tables of log-probabilities cut at different ends
make a ratio of different tokens.

**Why.** Scores at position `t` belong to the token at `t + 1`.

    logprobs = logits.log_softmax(-1).gather(2, ids[..., None])
    logprobs = logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])

**Repair.** Cut the last position off the scores and the first off the tokens.

**How it is decided.** The gradient of the scores at a position tells which tokens they depend on,
whichever way the model was called: none behind a position, and some before it. Where there is no
gradient, a copy of the model is run with other tokens. The tokens that are looked up are then
compared with the last ones that the scores depend on, by their values: they are the same, and not
those one place on. For a difference of log-probabilities, the tokens of both sides are compared:
one side has those of the other, one place later.

**Not a fault** where tokens behind a position change its scores, as with masked words and tags;
where a model sees each token by itself, as an autoencoder; where labels are moved inside the model.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.sequences import cut_before_flattening
from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.diagnose.fit.tokens import WRITER
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS311", "shifted-scores", 30
SEVERITY: Final = "error"

HEADLINES = {
    "own": "`{label}` looks tokens up in the scores of the tokens behind them",
    "loss": "`{label}` compares the scores of next tokens with tokens already read",
    "ratio": "log-probabilities of different tokens are compared",
}
WHYS = {
    "own": "What a model of the next token says at a position is about the token behind it; here "
    "no token behind a position takes part in its scores. `{index}` are the tokens it had read "
    "there.",
    "loss": "What a model of the next token says at a position is about the token behind it; here "
    "no token behind a position takes part in its scores. `{target}` are the tokens it had read "
    "there, so it learns to repeat them.",
    "ratio": "The tokens of one side are those of the other, one place later: the two were cut at "
    "different ends. Their difference is not that of one token under two policies.",
}
TITLES = {
    "shift": "pair each position with the token behind it",
    "same": "cut both at the same end",
}

_MODEL = f"""{WRITER}
model, ids = Writer(), torch.randint(0, 9, (3, 6))
"""
FIRES = (
    _MODEL
    + """
logits = model(ids)
logits.log_softmax(-1).gather(2, ids.unsqueeze(2)).squeeze(2)
""",
    _MODEL
    + """
logits = model(ids)
F.cross_entropy(logits.reshape(-1, 9), ids.reshape(-1))
""",
    _MODEL
    + """
new = model(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2)
old = new.detach()
ratio = new[:, 1:] - old[:, :-1]
""",
)
QUIET = (
    _MODEL
    + """
logits = model(ids)[:, :-1]
logits.log_softmax(-1).gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
""",
    _MODEL
    + """
logits = model(ids)
labels = F.pad(ids, (0, 1), value=-100)[:, 1:]
F.cross_entropy(logits.reshape(-1, 9), labels.reshape(-1))
""",
    """
tags, ids = nn.Sequential(nn.Embedding(9, 6), nn.Linear(6, 9)), torch.randint(0, 9, (3, 6))
tags(ids).log_softmax(-1).gather(2, ids.unsqueeze(2)).squeeze(2)
""",
    _MODEL
    + """
new = model(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2)
ratio = new[:, 2:] - new.detach()[:, 2:]
""",
    _MODEL
    + """
new = model(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2)
rough = (new[:, 1:] - new[:, :-1]).square().mean()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftedScores(Facts):
    """Where tokens meet the scores of others; `whole` is whether no place was cut off before."""

    found: str
    whole: bool = True


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of tokens and the scores they meet."""
    known = observation.facts
    if not isinstance(known, ShiftedScores):
        return None
    variant = known.found
    facts: dict[str, Any] = {"label": observation.label}
    facts |= {each.role: display_name(each) for each in observation.operands}
    blamed = {"own": ("index",), "loss": ("target",), "ratio": ("input", "other")}[variant]
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The last position off the scores and the first off the tokens, where both are whole."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, ShiftedScores)
    if finding.variant == "ratio":
        return (Repair("same"),)
    tokens = seen.operand("index") or seen.operand("target")
    pair = ((seen.operand("input"), "[:, :-1]"), (tokens, "[:, 1:]"))
    edits = [_cut(each, text) for each, text in pair if each is not None]
    whole = known.whole and len(edits) == len(pair)
    found = tuple(each for each in edits if each is not None)
    return (Repair("shift", edits=found if whole and len(found) == len(pair) else ()),)


def _cut(given: Operand, text: str) -> Edit | None:
    """An operand cut along its positions, before it is flattened."""
    passage = given.passage
    if passage is None or passage.span is None:
        return None
    if len(given.shape) > 2 or given.role == "index":
        return Edit(passage.place.file, passage.span, f"{passage.text}{text}")
    return cut_before_flattening(given, text)
