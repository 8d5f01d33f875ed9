"""What the rules on tokens and their padding share: facts, and a model for their examples."""

from __future__ import annotations

from typing import Any, Final

from wellshaped.diagnose.fit.shapes import words
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
    options = observation.options
    counts = {key: options[key] for key in ("positions", "all")}
    losses = {key: f"{options[key]:.4g}" for key in ("loss", "otherwise") if key in options}
    return {**counts, **losses, "input": words(observation.operands[0])}
