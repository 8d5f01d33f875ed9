"""Scores for every step of a sequence met one label per sequence.

**What happens.** A class loss gets `(B, T, C)` scores and `(B,)` labels; or `(L, B, C)`, one
set of scores for each layer of a recurrent network.

**Why.** The output of a recurrent layer has a row for every step, and its hidden state one for
every layer. A head put on all of them scores all of them, and the label is for the whole.

    out, hidden = self.lstm(x)              # (B, T, H), (L, B, H)
    return self.fc(out)                     # (B, T, C)

**Repair.** Score the last step, `self.fc(out[:, -1])`, or the state of the last layer,
`self.fc(hidden[-1])`. Of padded sequences, the last step that is no padding.

**Not a fault** when there is a label for every step.
"""

from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import applied, call_of, part_text, replaced, unsqueezed
from wellshaped.diagnose.fit.loss import CLASS_LOSSES, names_of, refused
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS202", "every-step", 15
SEVERITY: Final = "error"

HEADLINES = {
    "steps": "`{label}` got scores for {count} steps and one label per sequence",
    "layers": "`{label}` got scores for {count} layers and one label per row",
}
WHYS = {
    "steps": "`{input}` is {input_shape}: the head scores every step that the recurrent layer "
    "gives. `{target}` is {target_shape}, one label for a whole sequence.",
    "layers": "`{input}` is {input_shape}: the head scores the state of every layer. `{target}` "
    "is {target_shape}, one label for each row; `squeeze` takes an axis of size 1 only.",
}
TITLES = {"last": "score the last step", "top": "score the state of the last layer"}

FIRES = (
    """
lstm, head = nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 5)
out, _ = lstm(torch.randn(6, 7, 3))
logits, labels = head(out), torch.zeros(6, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
    """
gru, head = nn.GRU(3, 4, 2, batch_first=True), nn.Linear(4, 5)
out, hidden = gru(torch.randn(6, 7, 3))
logits, labels = head(hidden.squeeze(0)), torch.zeros(6, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
)
QUIET = (
    "F.cross_entropy(torch.randn(6, 5), torch.zeros(6, dtype=torch.long))",
    """
scores, labels = torch.randn(6, 7, 5), torch.zeros(6, dtype=torch.long)
F.cross_entropy(scores, labels)
""",
)

_RECURRENT = ("LSTM", "GRU", "RNN")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when scores of rank 3 come from a recurrent layer and the labels are a vector."""
    if refused(observation, *CLASS_LOSSES) is None:
        return None
    scores, target = observation.operands[0], observation.operand("target")
    layer = scores.origin_by(*_RECURRENT)
    if target is None or layer is None or len(scores.shape) != 3 or len(target.shape) != 1:
        return None
    variant, axis = _variant(scores, target.shape[0])
    if not variant:
        return None
    facts: dict[str, Any] = {**names_of(observation), "count": scores.shape[axis]}
    near = scores.origins[0] if scores.origins else layer
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant,
        facts,
        ("input",),
        (("input", "(B, C)"), ("target", "(B,)")),
        origin=near.passage,
    )


def _variant(scores: Operand, rows: int) -> tuple[str, int]:
    squeezed = scores.origin_by("squeeze") is not None
    if scores.shape[1] == rows and squeezed:
        return "layers", 0
    if scores.shape[0] == rows:
        return "steps", 1
    return ("steps", 0) if scores.shape[1] == rows else ("", 0)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The last step of what the head is given; of a state, its last layer."""
    scores = finding.observation.operands[0]
    if finding.variant == "layers":
        birth = scores.origin_by("squeeze")
        return (Repair("top", edits=_indexed(birth)),) if birth else ()
    rows_first = scores.shape[0] == _labels(finding)
    suffix = "[:, -1]" if rows_first else "[-1]"
    return (Repair("last", edits=_given(scores.origins[0], suffix)),) if scores.origins else ()


def _labels(finding: Finding) -> int:
    """The number of labels."""
    target = finding.observation.operand("target")
    return target.shape[0] if target else 0


def _given(birth: Origin, suffix: str) -> tuple[Edit, ...]:
    """The head on the last step: in its call where it has one argument, else behind it."""
    node = call_of(birth.passage)
    if node is None or len(node.args) != 1:
        return ()
    text = part_text(birth.passage, node.args[0])
    return (replaced(birth.passage, node.args[0], applied(text, suffix)),)


def _indexed(birth: Origin) -> tuple[Edit, ...]:
    """`hidden.squeeze(0)` as `hidden[-1]`."""
    node = call_of(birth.passage)
    edits = unsqueezed(birth.passage, "", "")
    if node is None or len(edits) != 1:
        return ()
    return (Edit(edits[0].file, edits[0].span, "[-1]"),)
