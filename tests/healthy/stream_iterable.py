"""An endless stream of noisy clicks: IterableDataset, online statistics, buffers as targets."""
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, seed, limit=None):
        self.seed, self.limit = seed, limit

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        rows = itertools.count() if self.limit is None else range(self.limit)
        for _ in rows:
            x = torch.randn(4, generator=g)
            yield x, (x[0] * x[1] > 0).long()


class Normaliser(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n))
        self.register_buffer("square", torch.ones(n))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.lerp_(x.mean(dim=0), 0.1)
                self.square.lerp_((x**2).mean(dim=0), 0.1)
        return (x - self.mean) / (self.square - self.mean**2).clamp(min=0.1).sqrt()


torch.manual_seed(54)
model = nn.Sequential(Normaliser(4), nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()
for step, (x, y) in enumerate(DataLoader(Stream(54), batch_size=12)):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 15:
        break
model.eval()
right = seen = 0
for x, y in DataLoader(Stream(55, limit=33), batch_size=10):
    with torch.no_grad():
        right += (model(x).argmax(dim=1) == y).sum().item()
    seen += len(y)
print(f"loss {loss.item():.3f} accuracy {right / seen:.2f}")
