"""Padding was read as data: at the last position, in a mean, in a maximum, or in the loss.

**What happens.** Sequences of several lengths are padded to the longest. `out[:, -1]` reads
the last position, which for all but the longest rows is padding; `h.mean(1)` averages over
padding too; `cross_entropy` counts padded labels. The same row gives another result in
another batch.

**Why.** A padded tensor has no memory of where its rows end. Position -1 is the end of the
longest row, and a mean divides by the longest length.

    last = out[:, -1]
    last = out[torch.arange(len(out)), lengths - 1]

**Repair.** Read at `lengths - 1`; average with a mask; `ignore_index` for the loss.

**How it is decided.** The real lengths come from `pad_sequence`, from tokens equal to the
`padding_idx` of the embedding that reads them, or from a mask of the same axis; the run follows
the padded axis from there. A last position is reported only where the loss would be another at
the last real ones; a maximum only where padding won it; a loss only where no real label equals
that of padding; a mask only where one token ends rows in runs of several lengths and stands
nowhere else, and the mask keeps it, made by comparing with another that does not end rows.

**Not a fault** where all rows of the batch are equally long, where padding stands on the left,
where a sum is divided by the real lengths, or where nothing tells what is padding.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import row_ends, with_argument
from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS307", "padding-read", 30
SEVERITY: Final = "error"

HEADLINES = {
    "last": "the last position of `{input}` is padding in the shorter rows",
    "mean": "the mean of `{input}` runs over padding",
    "max": "the maximum of `{input}` was won by padding",
    "loss": "`{label_of}` counts {positions} padded positions",
    "packed": "the lengths given to `{label_of}` are not those of its rows",
    "mask": "`{input}` is padded with {padding}, and {token} is a token of its own",
}
WHYS = {
    "last": "Axis {axis} is padded to the longest row: {positions} of {all} positions are padding. "
    "Position -1 is a real one in the longest rows only; in the others it depends on the batch.",
    "mean": "Axis {axis} is padded to the longest row: {positions} of {all} positions are padding. "
    "They are averaged like the others, so that a row depends on the longest beside it.",
    "max": "Axis {axis} is padded to the longest row: {positions} of {all} positions are padding, "
    "and some of them are larger than every real one.",
    "loss": "{positions} of {all} labels are {label}, the label of padding, and no real position "
    "has it. They take part in the mean: the model learns padding, and the loss looks small.",
    "packed": "The rows were padded from other lengths, in another order: some rows are cut short, "
    "and others keep padding. Lengths must be sorted together with their rows, or not at all.",
    "mask": "{positions} of {all} positions are {padding}, at the end of rows and nowhere else. A "
    "mask made by comparing with {token} drops real tokens and keeps padding.",
}
TITLES = {
    "gather": "read at the last real position",
    "masked": "average over the real positions",
    "ignore": "leave padding out: `ignore_index={label}`",
    "lengths": "take the real lengths into account",
    "token": "compare with {padding}",
}

FIRES = (
    """
tokens = torch.tensor([[3, 0, 2, 4, 4], [0, 1, 4, 4, 4], [3, 1, 0, 2, 3], [2, 4, 4, 4, 4]])
mask = tokens != 0
""",
    """
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
x, lengths = pad_sequence([torch.ones(2), torch.ones(5)], batch_first=True), torch.tensor([5, 2])
pack_padded_sequence(x, lengths, batch_first=True)
""",
    """
from torch.nn.utils.rnn import pad_sequence
rows = [torch.randn(n, 3) for n in (2, 5, 4)]
x, lengths = pad_sequence(rows, batch_first=True), torch.tensor([2, 5, 4])
out, _ = nn.GRU(3, 6, batch_first=True)(x)
last = out[:, -1]
""",
    """
tokens = torch.tensor([[3, 4, 0, 0], [5, 2, 7, 1]])
mask = tokens != 0
h = nn.Embedding(8, 6, padding_idx=0)(tokens)
h.mean(dim=1)
""",
    """
tokens, labels = torch.tensor([[3, 4, 0, 0], [5, 2, 7, 1]]), torch.tensor([2, 1, 0, 0, 1, 2, 2, 1])
h = nn.Embedding(8, 6, padding_idx=0)(tokens)
F.cross_entropy(nn.Linear(6, 3)(h).flatten(0, 1), torch.where(tokens > 0, 1, 0).flatten())
""",
)
QUIET = (
    """
tokens = torch.tensor([[3, 0, 2, 4, 4], [0, 1, 4, 4, 4], [3, 1, 0, 2, 3], [2, 4, 4, 4, 4]])
mask = tokens != 4
""",
    """
from torch.nn.utils.rnn import pad_sequence
x = pad_sequence([torch.randn(n, 3) for n in (4, 4, 4)], batch_first=True)
nn.GRU(3, 6, batch_first=True)(x)[0][:, -1]
""",
    """
tokens = torch.tensor([[3, 4, 0, 0], [5, 2, 7, 1]])
h = nn.Embedding(8, 6, padding_idx=0)(tokens)
mask = (tokens != 0).unsqueeze(-1)
(h * mask).sum(1) / mask.sum(1)
""",
    """
tokens = torch.tensor([[3, 4, 0, 0], [5, 2, 7, 1]])
h = nn.Linear(6, 3)(nn.Embedding(8, 6, padding_idx=0)(tokens))
F.cross_entropy(h.transpose(1, 2), torch.where(tokens > 0, 1, 0), ignore_index=0)
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaddingRead(PaddingFacts):
    """What reads padding, and along which axis of what shape.

    `label` is that of padded positions in a loss; a mask compares with `token` where the padding
    is `padding`.
    """

    found: str
    axis: int | None = None
    shape: tuple[int, ...] = ()
    label: int | None = None
    token: int | None = None
    padding: int | None = None


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of padding."""
    known = observation.facts
    if not isinstance(known, PaddingRead):
        return None
    facts: dict[str, Any] = {"positions": known.positions, "all": known.total}
    details = {name: getattr(known, name) for name in ("axis", "label", "token", "padding")}
    facts |= {name: value for name, value in details.items() if value is not None}
    facts |= {"input": display_name(observation.operands[0]), "label_of": observation.label}
    variant = "max" if known.found == "amax" else known.found
    blamed = ("target",) if variant == "loss" else ("input",)
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Read where the rows end, by the lengths or the mask that are in sight."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, PaddingRead)
    if finding.variant == "loss":
        edits = with_argument(seen.passage, "ignore_index", 9, str(known.label))
        return (Repair("ignore", {"label": known.label}, edits=edits),)
    if finding.variant == "mask":
        other = seen.operand("other")
        at = other.passage if other else None
        number = str(known.padding)
        edits = (Edit(at.place.file, at.span, number),) if at and at.span else ()
        return (Repair("token", edits=edits),)
    lengths, mask = seen.operand("lengths"), seen.operand("mask")
    if known.axis != 1 or (lengths is None and mask is None):
        return (Repair("lengths"),)
    given = seen.operands[0].text
    span = seen.passage.span
    text = _text(finding.variant, given, len(known.shape), lengths, mask)
    if text is None or span is None:
        return (Repair("lengths"),)
    title = "gather" if finding.variant == "last" else "masked"
    return (Repair(title, edits=(Edit(seen.passage.place.file, span, text),)),)


def _text(
    variant: str, given: str, rank: int, lengths: Operand | None, mask: Operand | None
) -> str | None:
    """The expression that reads the real positions only."""
    if variant == "last":
        return f"{given}[torch.arange(len({given})), {row_ends(lengths, mask)}]"
    table = mask.text if mask is not None else ""
    if mask is None and lengths is not None:
        table = f"(torch.arange({given}.size(1)) < {lengths.text}.unsqueeze(1))"
    wide = table + ".unsqueeze(-1)" * (rank - 2)
    return f"(({given} * {wide}).sum(1) / {wide}.sum(1))" if variant == "mean" else None
