"""What the rules on tokens and their padding share: facts, and a model for their examples."""

from __future__ import annotations

from typing import Any, Final

from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.observation import Observation

# A model of the next token.
WRITER: Final = """
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.gru = nn.Embedding(9, 6), nn.GRU(6, 6, batch_first=True)
        self.head = nn.Linear(6, 9)

    def forward(self, ids):
        return self.head(self.gru(self.table(ids))[0])
"""


def of_padding(observation: Observation) -> dict[str, Any]:
    """What a record tells of padding that took part: how much, and what the loss would be."""
    known = observation.facts
    assert isinstance(known, PaddingFacts)
    losses = {"loss": known.loss, "otherwise": known.otherwise}
    shown = {key: f"{loss:.4g}" for key, loss in losses.items() if loss is not None}
    counts = {"positions": known.positions, "all": known.total}
    return {**counts, **shown, "input": display_name(observation.operands[0])}
