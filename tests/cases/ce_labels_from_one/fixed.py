import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class StarRatings(Dataset):
    """Reviews as embeddings with ratings from 1 to 5 stars."""

    def __init__(self, n=60):
        g = torch.Generator().manual_seed(0)
        self.vec = torch.randn(n, 24, generator=g)
        self.stars = torch.randint(1, 6, (n,), generator=g)

    def __len__(self):
        return len(self.vec)

    def __getitem__(self, i):
        return self.vec[i], self.stars[i] - 1


class RatingNet(nn.Module):
    def __init__(self, n_ratings=5):
        super().__init__()
        self.fc1 = nn.Linear(24, 32)
        self.fc2 = nn.Linear(32, n_ratings)

    def forward(self, v):
        return self.fc2(torch.relu(self.fc1(v)))


def train(net, loader, epochs=2):
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for vec, stars in loader:
            loss = crit(net(vec), stars)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("epoch", epoch, "loss", round(loss.item(), 4))


train(RatingNet(), DataLoader(StarRatings(), batch_size=20))
