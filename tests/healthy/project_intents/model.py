"""A transformer encoder that returns its loss when it is given labels."""
from dataclasses import dataclass

import torch
from torch import nn

from data import PAD


@dataclass
class Output:
    logits: torch.Tensor
    loss: torch.Tensor | None = None


class IntentModel(nn.Module):
    def __init__(self, vocab=40, width=24, labels=4):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width, padding_idx=PAD)
        self.positions = nn.Parameter(torch.randn(1, 16, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, 2, 48, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.classifier = nn.Linear(width, labels)

    def forward(self, input_ids, attention_mask, labels=None):
        x = self.tokens(input_ids) + self.positions[:, : input_ids.shape[1]]
        h = self.encoder(x, src_key_padding_mask=attention_mask == 0)
        mask = attention_mask.unsqueeze(-1).to(h.dtype)
        logits = self.classifier((h * mask).sum(dim=1) / mask.sum(dim=1))
        loss = None if labels is None else nn.functional.cross_entropy(logits, labels)
        return Output(logits, loss)
