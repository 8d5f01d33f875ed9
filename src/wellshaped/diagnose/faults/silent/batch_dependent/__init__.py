"""The result of a row depends on the batch around it: on its neighbours, or on padding.

**What happens.** The same row is given to a model among other rows, or with less padding, and
comes out different. Nothing is raised. In training the model learns from what stands beside a
row by chance; in use, where rows come alone, its results are others.

**Why.** A layer read the batch axis as time, a `view` cut rows apart, a recurrent layer ran on
over padding to its last state or began there on its way back, attention looked at padding.

    _, h = self.gru(x)                           # runs to the end of the padding
    _, h = self.gru(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))

**Repair.** `batch_first=True`; `permute` or `transpose` to move axes; `pack_padded_sequence`; a
mask of the padding for attention.

**How it is decided.** Where a program calls a model of fewer than 50 million parameters, a copy
of it, in `eval` mode, is given the same rows with other neighbours and, where real lengths are
known, the shortest row with padding and without. If a result differs by more than a thousandth,
both runs are recorded and compared operation by operation; the first that differs while all it
was made from agrees is the place. Rows are those a loader gave, or those a loss pairs with its
targets. Two calls of each model and one second in all are spent.

**Not a fault** are layers that mix rows by design: sums, means and norms over the batch, products
of rows with each other, one sequence made of all rows, as in graphs and sets. Nothing is said of
results that the program does not go on with, of models that draw at random or remember, that
return one number or a table of all pairs, of convolutions over padding, or where another fault
was found in the same code.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.layers import with_last_argument
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS309", "batch-dependent", 30
SEVERITY: Final = "error"

HEADLINES = {
    "recurrent": "`{label}` reads the rows of the batch as steps in time",
    "attention": "`{label}` lets the rows of the batch attend to each other",
    "reshaped": "`{label}` mixes the rows of the batch",
    "padded_state": "the last state of `{label}` was reached over padding",
    "padded_backward": "`{label}` reads the padding before the row on its way back",
    "padded_attention": "`{label}` attends to padding",
}
WHYS = {
    "recurrent": "The same rows were run beside others, and their results changed here: each row "
    "of {rows} continues the one before it.",
    "attention": "The same rows were run beside others, and their results changed here: each row "
    "of {rows} sees the others.",
    "reshaped": "The same rows were run beside others, and their results changed here: {shape} is "
    "cut again in memory order, and values of several rows come to stand in one.",
    "padded_state": "The shortest of {rows} rows was run with its padding and without, and the "
    "last state changed: the layer goes on through the padding to the longest length.",
    "padded_backward": "The shortest of {rows} rows was run with its padding and without, and the "
    "results at its real positions changed: the way back begins in the padding.",
    "padded_attention": "The shortest of {rows} rows was run with its padding and without, and the "
    "results at its real positions changed: padded positions get a share of the attention.",
}
TITLES = {
    "batch_first": "build the layer with `batch_first=True`",
    "permute": "move axes with `permute` or `transpose`, and keep the batch axis in `view`",
    "pack": "give the layer its rows by `pack_padded_sequence`, with their real lengths",
    "mask": "mask the padding, as by `key_padding_mask`",
}

_PADDED_GRU = """
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.head = nn.GRU(3, 8, batch_first=True), nn.Linear(8, 1)
    def forward(self, x, lengths):
        {read}
        return self.head(h[-1])
x = pad_sequence([torch.randn(n, 3) for n in (2, 7, 4, 6)], batch_first=True)
Net()(x, torch.tensor([2, 7, 4, 6])).mean()
"""
_ATTENTION = """
from torch.nn.utils.rnn import pad_sequence
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)
    def forward(self, x, padding):
        mixed, _ = self.attend(x, x, x{mask})
        return mixed[:, 0]
x = pad_sequence([torch.randn(n, 8) for n in (2, 7, 4, 6)], batch_first=True)
Net()(x, torch.arange(7) >= torch.tensor([2, 7, 4, 6])[:, None]).mean()
"""
_CUT = """
from torch.utils.data import DataLoader, TensorDataset
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 2)
    def forward(self, x):
        return self.head(x{moved}.reshape(5, -1, 6)).mean(0)
for x, in DataLoader(TensorDataset(torch.randn(8, 15, 2)), 4):
    Net()(x).mean()
"""
_BOTH_WAYS = """
from torch.nn.utils.rnn import pad_sequence
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 8, batch_first=True, bidirectional=True)
    def forward(self, x):
        out, _ = self.lstm(x)
        return out[:, 0]
x = pad_sequence([torch.randn(n, 3) for n in (2, 7, 4, 6)], batch_first=True)
Net()(x).mean()
"""
FIRES = (
    _PADDED_GRU.replace("{read}", "_, h = self.gru(x)"),
    _BOTH_WAYS,
    _ATTENTION.replace("{mask}", ""),
    _CUT.replace("{moved}", ""),
)
QUIET = (
    _PADDED_GRU.replace(
        "{read}",
        "_, h = self.gru(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))",
    ),
    _ATTENTION.replace("{mask}", ", key_padding_mask=padding"),
    _CUT.replace("{moved}", ".unflatten(1, (5, 3)).transpose(0, 1)"),
    """
from torch.utils.data import DataLoader, TensorDataset
class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)
    def forward(self, x):
        groups = x.reshape(2, -1, 3)
        spread = groups.std(0).mean().expand(len(x), 1)
        return self.head(torch.cat([x, spread], 1))
for x, in DataLoader(TensorDataset(torch.randn(8, 3)), 4):
    Spread()(x).mean()
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchDependent(Facts):
    """What made the results of a row differ: which fault, of how many rows, and of what shape."""

    found: str
    rows: int
    shape: tuple[int, ...]


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what was tried with a copy of a model and came out different."""
    known = observation.facts
    if not isinstance(known, BatchDependent):
        return None
    facts: dict[str, Any] = {"label": observation.label, "rows": known.rows}
    facts["shape"] = shape_text(known.shape)
    built = observation.operand("built")
    origin = built.passage if built else None
    return Finding(CODE, NAME, SEVERITY, observation, known.found, facts, ("input",), origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """A layer that has the batch first, moved axes, packed rows, or a mask."""
    built = finding.observation.operand("built")
    if finding.variant in ("recurrent", "attention"):
        edits = with_last_argument(built.passage, "batch_first=True") if built else ()
        return (Repair("batch_first", edits=edits),)
    if finding.variant == "reshaped":
        return (Repair("permute"),)
    return (Repair("mask" if finding.variant == "padded_attention" else "pack"),)
