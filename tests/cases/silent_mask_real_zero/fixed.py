import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

BASES = "ACGT"
PAD_ID = len(BASES)


class Reads(Dataset):
    """DNA reads; the class says whether A or T is more frequent than usual."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for i in range(n):
            label = i % 2
            weights = torch.tensor([4.0, 1, 1, 1]) if label else torch.tensor([1.0, 1, 1, 4])
            size = int(torch.randint(5, 20, (1,), generator=g))
            self.rows.append((torch.multinomial(weights, size, replacement=True, generator=g), label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def pad(rows):
    longest = max(len(r) for r, _ in rows)
    ids = torch.full((len(rows), longest), PAD_ID)
    for k, (r, _) in enumerate(rows):
        ids[k, : len(r)] = r
    return ids, torch.tensor([y for _, y in rows])


class ReadClassifier(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.embed = nn.Embedding(len(BASES) + 1, width)
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        mask = (ids != PAD_ID).float().unsqueeze(-1)
        h = self.embed(ids)
        mean = (h * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        return self.head(mean)


torch.manual_seed(22)
model = ReadClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
loader = DataLoader(Reads(64, 22), batch_size=16, collate_fn=pad)
for epoch in range(5):
    hits = 0
    for ids, label in loader:
        logits = model(ids)
        loss = criterion(logits, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(1) == label).sum().item()
    print(f"epoch {epoch}: loss {loss.item():.4f} accuracy {hits / 64:.3f}")
