"""The rows of a batch were mixed: a softmax, a choice or a layer ran along the batch axis.

**What happens.** `softmax(x, dim=0)` on `(B, C)`, `argmax(0)` of `(B, C)` scores, an `LSTM` or
a `Transformer` without `batch_first=True` that is given `(B, T, F)`. Shapes fit, nothing is
raised, and what one row gets depends on the rows that happen to be beside it.

**Why.** Axis 0 is the batch in most of torch, but recurrent and attention layers read it as
time unless told otherwise, and `dim=0` names it like any other axis.

    self.lstm = nn.LSTM(8, 16)                   # reads (T, B, F)
    out, _ = self.lstm(x)                        # x: (B, T, F)

**Repair.** Name the axis of classes or steps, `dim=1` or `dim=-1`; `batch_first=True`.

**How it is decided.** The run follows the batch axis from the loader, or back from a loss
whose contract says which axis counts its rows, to every operation that ran along it.

**Not a fault** where the batch axis is not certain, as with time-first data made by hand;
for tables of all pairs of rows, `(B, B)`, as in contrastive losses; for statistics of a batch.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import with_argument
from wellshaped.diagnose.fit.layers import with_last_argument as added
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS304", "mixed-rows", 30
SEVERITY: Final = "error"

HEADLINES = {
    "softmax": "`{label}` runs over axis {axis}, the rows of the batch",
    "choice": "`{label}` chooses over axis {axis}, among the rows of the batch",
    "recurrent": "`{label}` reads the rows of the batch as steps in time",
    "attention": "`{label}` lets the rows of the batch attend to each other",
}
WHYS = {
    "softmax": "Of {shape}, axis {axis} counts the {rows} rows. The rows of a batch compete with "
    "each other, and what one gets depends on the others beside it.",
    "choice": "Of {shape}, axis {axis} counts the {rows} rows: for each class the best row is "
    "found, not for each row its class.",
    "recurrent": "It was built without `batch_first=True` and takes (time, batch, features). Of "
    "{shape}, axis {axis} counts the {rows} rows: each row continues the one before it.",
    "attention": "It was built without `batch_first=True` and takes (time, batch, features). Of "
    "{shape}, axis {axis} counts the {rows} rows: each row sees the others, not its own steps.",
}
TITLES = {
    "axis": "run over axis {to} instead",
    "batch_first": "build the layer with `batch_first=True`",
}

FIRES = (
    """
x, y = torch.randn(8, 5), torch.randint(0, 3, (8,))
out = F.log_softmax(nn.Linear(5, 3)(x), dim=0)
nn.NLLLoss()(out, y)
""",
    """
x, y = torch.randn(8, 6, 5), torch.randint(0, 3, (8,))
lstm = nn.LSTM(5, 4)
out, _ = lstm(x)
F.cross_entropy(nn.Linear(4, 3)(out[:, -1]), y)
""",
    """
from torch.utils.data import DataLoader, TensorDataset
attend, loss = nn.MultiheadAttention(6, 2), nn.MSELoss()
for x, y in DataLoader(TensorDataset(torch.randn(8, 7, 6), torch.randn(8)), 4):
    mixed, _ = attend(x, x, x)
    loss(mixed.mean((1, 2)), y)
""",
    """
x, y = torch.randn(8, 5), torch.randint(0, 8, (8,))
pred = nn.Linear(5, 8)(x).argmax(0)
(pred == y).float().mean()
""",
)
QUIET = (
    """
x, y = torch.randn(8, 5), torch.randint(0, 3, (8,))
F.nll_loss(F.log_softmax(nn.Linear(5, 3)(x), dim=1), y)
""",
    """
x, y = torch.randn(6, 8, 5), torch.randint(0, 3, (8,))
out, _ = nn.LSTM(5, 4)(x)
F.cross_entropy(nn.Linear(4, 3)(out[-1]), y)
""",
    """
x, y = torch.randn(8, 5), torch.arange(8)
z = nn.Linear(5, 4)(x)
F.nll_loss((z @ z.T).log_softmax(0), y)
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedRows(Facts):
    """What ran along the rows of a batch, and along which axis of its operand."""

    found: str
    axis: int
    shape: tuple[int, ...]


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run calls mixed rows."""
    known = observation.facts
    if not isinstance(known, MixedRows):
        return None
    facts: dict[str, Any] = {
        "label": observation.label,
        "axis": known.axis,
        "rows": known.shape[known.axis],
        "shape": shape_text(known.shape),
    }
    built = observation.operand("built")
    origin = built.passage if built else None
    return Finding(CODE, NAME, SEVERITY, observation, known.found, facts, ("input",), origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Another axis, or a layer that has the batch first."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, MixedRows)
    built = seen.operand("built")
    passage = built.passage if built else None
    if finding.variant in ("recurrent", "attention"):
        return (Repair("batch_first", edits=added(passage, "batch_first=True") if passage else ()),)
    others = [k for k, size in enumerate(known.shape) if k != known.axis and size > 1]
    found = []
    for place in others[:2]:
        edits = with_argument(passage, "dim", 0, str(place)) if passage else _edits(seen, place)
        found.append(Repair("axis", {"to": place}, edits=edits))
    return tuple(found)


def _edits(seen: Observation, place: int) -> tuple[Edit, ...]:
    """The axis where the call names it: after the tensor, or alone in a method."""
    given = seen.operand("input")
    text = given.text if given and given.passage else ""
    is_method = bool(text) and seen.passage.text.startswith(text)
    return with_argument(seen.passage, "dim", 0 if is_method else 1, str(place))
