"""Fine-tuning a tiny transformer encoder for duplicate-question detection."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader


@dataclass
class Config:
    vocab: int = 120
    width: int = 32
    heads: int = 4
    max_len: int = 10
    batch_size: int = 16


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.width)
        self.pos = nn.Parameter(torch.zeros(1, cfg.max_len, cfg.width))
        layer = nn.TransformerEncoderLayer(cfg.width, cfg.heads, 64, dropout=0.0, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, num_layers=1)
        self.classifier = nn.Linear(cfg.width, 1)

    def forward(self, ids):
        h = self.tok(ids) + self.pos
        h = self.blocks(h)
        return self.classifier(h[:, 0])


def synthetic_pairs(cfg, n):
    gen = torch.Generator().manual_seed(1)
    rows = []
    for _ in range(n):
        left = torch.randint(0, cfg.vocab, (5,), generator=gen)
        same = bool(torch.rand((), generator=gen) < 0.5)
        right = left.clone() if same else torch.randint(0, cfg.vocab, (5,), generator=gen)
        rows.append((torch.cat([left, right]), float(same)))
    return rows


cfg = Config()
torch.manual_seed(0)
net = Encoder(cfg)
loader = DataLoader(synthetic_pairs(cfg, 64), batch_size=cfg.batch_size)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)

for epoch in range(2):
    for ids, is_duplicate in loader:
        logits = net(ids)
        loss = criterion(logits, is_duplicate.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
