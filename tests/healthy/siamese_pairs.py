"""Siamese signatures: pairs, cosine and contrastive losses, a ranking loss with its target."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

random.seed(49)
torch.manual_seed(49)


class Pairs(Dataset):
    def __init__(self, writers=6, n=44):
        self.hands = torch.randn(writers, 16)
        self.n, self.writers = n, writers

    def signature(self, who):
        return self.hands[who] + 0.3 * torch.randn(16)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        a = random.randrange(self.writers)
        b = a if i % 2 == 0 else (a + 1 + random.randrange(self.writers - 1)) % self.writers
        return self.signature(a), self.signature(b), torch.tensor(1.0 if a == b else 0.0)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, a, b):
        return self.embed(a), self.embed(b)


def contrastive(a, b, same, margin=1.0):
    distance = F.pairwise_distance(a, b)
    return (same * distance**2 + (1 - same) * (margin - distance).clamp(min=0) ** 2).mean()


model = Siamese()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
cosine = nn.CosineEmbeddingLoss(margin=0.2)
ranking = nn.MarginRankingLoss(margin=0.1)
for epoch in range(3):
    for a, b, same in DataLoader(Pairs(), batch_size=10, shuffle=True):
        ea, eb = model(a, b)
        loss = contrastive(ea, eb, same) + cosine(ea, eb, 2 * same - 1)
        own = F.cosine_similarity(ea, eb)
        shifted = F.cosine_similarity(ea, eb.roll(1, dims=0))
        loss = loss + 0.1 * ranking(own, shifted, 2 * same - 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f}")
