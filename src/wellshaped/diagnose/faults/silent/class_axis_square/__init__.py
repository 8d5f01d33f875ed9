"""Class scores came last, and the loss read the positions as classes.

**What happens.** `cross_entropy` gets scores `(B, T, C)` and labels `(B, T)`. As a rule it
refuses, because axis 1 must be the classes. Where `T` equals `C` it cannot tell, and runs.

**Why.** Several losses expect classes in axis 1, `(B, C, T)`. With `T = C` the shapes are the
same either way, and softmax runs over the positions.

    scores = model(words)                        # (12, 6, 6): six words, six tags
    loss = F.cross_entropy(scores, tags)

**Repair.** `scores.transpose(1, 2)`, or both flattened: `scores.flatten(0, 1)`, `tags.flatten()`.

**How it is decided.** The run follows both axes: axis 1 comes from the data, the last axis
was made by a layer.

**Not a fault** where both axes were made by layers, as after convolutions, or where nothing
is known of one of them.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import suffixed
from wellshaped.diagnose.fit.loss import names_of
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS305", "class-axis-square", 30
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` read the positions of `{input}` as its classes"}
WHYS = {
    "": "Classes stand in axis 1 of the input. Of `{input}`, {input_shape}, axis 1 counts "
    "positions and axis 2 classes; their sizes are equal, so that nothing is refused.",
}
TITLES = {"swap": "put the classes of `{input}` into axis 1"}

FIRES = (
    """
words, tags = torch.randint(0, 9, (8, 6)), torch.randint(0, 6, (8, 6))
scores = nn.Linear(4, 6)(nn.Embedding(9, 4)(words))
F.cross_entropy(scores, tags)
""",
)
QUIET = (
    """
words, tags = torch.randint(0, 9, (8, 6)), torch.randint(0, 6, (8, 6))
scores = nn.Linear(4, 6)(nn.Embedding(9, 4)(words))
F.cross_entropy(scores.transpose(1, 2), tags)
""",
    """
signal, tags = torch.randn(8, 2, 6), torch.randint(0, 6, (8, 6))
F.cross_entropy(nn.Conv1d(2, 6, 1)(signal), tags)
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassAxisSquare(Facts):
    """Axis 1 of the input of a loss counts positions, and axis 2, of the same size, classes."""


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of the axes of a loss."""
    if not isinstance(observation.facts, ClassAxisSquare):
        return None
    facts: dict[str, Any] = names_of(observation)
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, ("input",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The class axis moved to where the loss looks for it."""
    given = finding.observation.operand("input")
    passage = given.passage if given else None
    return (Repair("swap", edits=suffixed(passage, ".transpose(1, 2)") if passage else ()),)
