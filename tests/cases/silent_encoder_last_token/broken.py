from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

PAD = 0


@dataclass
class Settings:
    vocab: int = 30
    width: int = 16
    labels: int = 3
    epochs: int = 6
    batch: int = 10


class Scorer(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.tokens = nn.Embedding(s.vocab, s.width, padding_idx=PAD)
        self.places = nn.Embedding(16, s.width)
        layer = nn.TransformerEncoderLayer(s.width, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(s.width, s.labels)

    def forward(self, ids, mask):
        positions = torch.arange(ids.size(1))
        x = self.tokens(ids) + self.places(positions)
        h = self.encoder(x, src_key_padding_mask=~mask)
        last = h[:, -1]
        return self.head(last)


def replies(n, s, seed):
    g = torch.Generator().manual_seed(seed)
    rows = []
    for i in range(n):
        k = int(torch.randint(3, 14, (1,), generator=g))
        ids = torch.randint(4, s.vocab, (k,), generator=g)
        ids[-1] = 1 + i % s.labels
        rows.append((ids, i % s.labels))
    return rows


def collate(rows):
    width = max(len(ids) for ids, _ in rows)
    batch = torch.full((len(rows), width), PAD)
    for i, (ids, _) in enumerate(rows):
        batch[i, :len(ids)] = ids
    return batch, batch != PAD, torch.tensor([y for _, y in rows])


def main():
    torch.manual_seed(20)
    s = Settings()
    model = Scorer(s)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    loader = DataLoader(replies(60, s, 20), batch_size=s.batch, collate_fn=collate)
    for epoch in range(s.epochs):
        right = 0
        for ids, mask, label in loader:
            logits = model(ids, mask)
            loss = F.cross_entropy(logits, label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += (logits.argmax(-1) == label).sum().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right / 60:.3f}")


main()
