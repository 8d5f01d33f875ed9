"""`ctc_loss` takes the time axis first, and got the batch first.

**What happens.** `log_probs` must be `(T, B, C)`. A recogniser built with
`batch_first=True` gives `(B, T, C)`, and the loss takes T for the number of sequences.

**Why.** The lengths are checked against the second axis: "input_lengths must be of size
batch_size". Where B equals T nothing is refused, and every sequence is read across the
batch.

    log_probs = model(images).log_softmax(2)    # (16, 26, 37): batch, time, classes
    loss = ctc(log_probs, targets, input_lengths, target_lengths)

**Repair.** `log_probs.transpose(0, 1)`.

**Not a fault** when the lengths have the size of the second axis.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import names_of, needs_of, refused
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS208", "time-first", 20
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` takes time first, and got the batch first"}
WHYS = {
    "": "`{log_probs}` is {log_probs_shape} and there are {count} lengths: the batch is axis 0. "
    "The loss takes axis 0 for time and axis 1, of size {second}, for the batch.",
}
TITLES = {"swap": "put the time axis of `{operand}` first"}

FIRES = (
    """
logs = torch.randn(4, 9, 5).log_softmax(2)
targets, lengths, sizes = torch.ones(4, 3).long(), torch.full((4,), 9), torch.full((4,), 3)
F.ctc_loss(logs, targets, lengths, sizes)
""",
)
QUIET = (
    """
logs = torch.randn(9, 4, 5).log_softmax(2)
targets, lengths, sizes = torch.ones(4, 3).long(), torch.full((4,), 9), torch.full((4,), 3)
F.ctc_loss(logs, targets, lengths, sizes)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the lengths have the size of axis 0 and not of axis 1."""
    if refused(observation, "ctc_loss") is None:
        return None
    scores, lengths = observation.operands[0], observation.operand("input_lengths")
    if lengths is None or len(scores.shape) != 3 or len(lengths.shape) != 1:
        return None
    if lengths.shape[0] != scores.shape[0] or lengths.shape[0] == scores.shape[1]:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            **names_of(observation),
            "count": lengths.shape[0],
            "second": scores.shape[1],
            "operand": scores.text,
        },
        blamed=("log_probs",),
        needs=needs_of(observation)[:3],
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Swap the first two axes."""
    return (Repair("swap", {}, (Change("log_probs", ".transpose(0, 1)"),)),)
