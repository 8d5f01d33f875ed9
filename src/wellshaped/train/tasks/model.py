"""A small model for rows of text and numbers: words in both directions, then the task's head.

B rows, T positions, D features.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wellshaped.nn import MaskedLSTM, Seq2SeqHead
from wellshaped.train.tasks.encoding import Encoding, RowBatch


class RowsModel(nn.Module):
    """From a batch to the raw outputs of its task."""

    def __init__(self, encoding: Encoding, *, width: int = 64, layers: int = 1) -> None:
        super().__init__()
        self.reads_text = bool(encoding.columns.text)
        features = len(encoding.columns.features)
        if self.reads_text:
            self.words = nn.Embedding(len(encoding.source), width)
            self.reader = MaskedLSTM(width, width // 2, layers, bidirectional=True)
        if features:
            self.numbers = nn.Sequential(nn.Linear(features, width), nn.Tanh())
        self.dropout = nn.Dropout(0.1)
        self.head = encoding.task().head(width * (self.reads_text + bool(features)))

    def forward(self, batch: RowBatch) -> Tensor:
        """The head's outputs; for sequences, those of the targets given the ones before."""
        if isinstance(self.head, Seq2SeqHead):
            memory_BTD, lengths_B = self.memory(batch)
            outputs: Tensor = self.head(memory_BTD, lengths_B, batch.targets, batch.real)
        elif batch.text is None:
            assert batch.features is not None
            outputs = self.head(self.dropout(self.numbers(batch.features)))
        else:
            memory_BTD, lengths_B = self.memory(batch)
            outputs = self.head(memory_BTD, lengths_B)
        return outputs

    def memory(self, batch: RowBatch) -> tuple[Tensor, Tensor]:
        """What was read at each position, with the row's numbers beside it; and the lengths."""
        assert batch.text is not None
        lengths_B = batch.text.lengths
        words_BTD = self.words(batch.text.values)
        memory_BTD, _ = self.reader(self.dropout(words_BTD), lengths_B)
        if batch.features is not None:
            row_B1D = self.numbers(batch.features).unsqueeze(1)
            memory_BTD = torch.cat([memory_BTD, row_B1D.expand_as(memory_BTD)], dim=-1)
        return self.dropout(memory_BTD), lengths_B
