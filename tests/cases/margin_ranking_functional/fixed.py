# Learning which of two photos people like better, from average ratings.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class PhotoPairs(Dataset):
    def __init__(self, photos, ratings, n_pairs, seed=0):
        rng = np.random.default_rng(seed)
        self.photos, self.ratings = photos, ratings
        self.index = rng.integers(0, len(photos), size=(n_pairs, 2))

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        i, j = self.index[k]
        sign = np.sign(self.ratings[i] - self.ratings[j])
        return self.photos[i], self.photos[j], np.float32(sign)


class Aesthetic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, 16), nn.Linear(16, 1)])

    def forward(self, x):
        x = torch.relu(self.layers[0](x))
        return self.layers[1](x)


rng = np.random.default_rng(4)
photos = rng.normal(size=(50, 9)).astype(np.float32)
ratings = photos[:, 0] * 2 - photos[:, 3] + rng.normal(scale=0.1, size=50)

torch.manual_seed(4)
scorer = Aesthetic(9)
optimizer = torch.optim.Adam(scorer.parameters(), lr=0.01)
loader = DataLoader(PhotoPairs(photos, ratings, 120), batch_size=24)

for epoch in range(4):
    total = 0.0
    for left, right, better in loader:
        a, b = scorer(left), scorer(right)
        loss = F.margin_ranking_loss(a, b, better.unsqueeze(1), margin=0.2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, round(total / len(loader), 4))
