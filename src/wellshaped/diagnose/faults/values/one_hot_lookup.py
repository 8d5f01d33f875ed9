"""One-hot rows went into an embedding, and the result has an axis too many.

**What happens.** `Embedding` replaces each number by a row of its table and so adds an axis.
One-hot rows `(B, T, K)` come out as `(B, T, K, E)`: zeros and ones were looked up, and a
later layer stops at the extra axis.

**Why.** One-hot rows and embeddings are two ways to the same end. A data set that already
encodes its classes is not made for an embedding.

    tokens = F.one_hot(numbers, 20)           # (6, 10, 20)
    x = self.embedding(tokens)                # (6, 10, 20, 8)

**Repair.** Give the embedding the numbers themselves. Where only the one-hot rows are at
hand, `tokens.argmax(-1)` has them.

**Not a fault** when zeros and ones are the row numbers, as for a table with two rows.
"""

from typing import Final

from wellshaped.diagnose.fit.layers import born_at, entry_of, facts_of, layer_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS506", "one-hot-lookup", 34
SEVERITY: Final = "error"

HEADLINES = {"": "{name} got {rank} axes, after one-hot rows went through an embedding"}
WHYS = {
    "": "An embedding looks every number up and adds an axis. `{sample}` is one-hot along axis "
    "{axis}, so zeros and ones were looked up in place of row numbers, and {name} takes {most} "
    "axes."
}
TITLES = {"numbers": "turn the one-hot rows of `{operand}` into row numbers"}

FIRES = (
    """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.conv = nn.Embedding(20, 8), nn.Conv1d(8, 4, 3)
    def forward(self, tokens):
        return self.conv(self.table(tokens).movedim(-1, 1))
net = Net()
tokens = F.one_hot(torch.arange(18).reshape(3, 6), 20)
net(tokens)
""",
)
QUIET = (
    "x = torch.randn(2, 3, 8, 9)\nnn.Conv1d(3, 4, 3)(x)",
    "x = nn.Embedding(20, 8)(torch.arange(18).reshape(3, 6))\nnn.Conv1d(8, 4, 3)(x)",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a layer got too many axes from an embedding, and the model one-hot rows."""
    layer, entry = layer_of(observation), entry_of(observation)
    axis = _one_hot_axis(entry)
    if layer is None or layer.input is None or entry is None or axis is None:
        return None
    rank, born = len(layer.input.shape), born_at(layer.input, "Embedding")
    if born is None or not layer.ranks or rank != layer.ranks[-1] + 1:
        return None
    most = layer.ranks[-1]
    facts = facts_of(observation, rank=rank, most=most, sample=entry.text, axis=axis)
    blamed, origin = ("input",), entry.passage
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, blamed, origin=origin)


def _one_hot_axis(entry: Operand | None) -> int | None:
    traits = entry.traits if entry else ()
    found = [int(each.split(":")[1]) for each in traits if each.startswith("one_hot:")]
    return found[0] if len(found) == 1 else None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Take the numbers the one-hot rows stand for."""
    entry = entry_of(finding.observation)
    if entry is None:
        return ()
    change = Change(entry.role, f".argmax({finding.facts['axis']})")
    return (Repair("numbers", {"operand": entry.text}, (change,)),)
