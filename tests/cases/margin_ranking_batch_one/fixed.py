import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class JokePairs(Dataset):
    """Funny joke, dull joke, and 1 because the first should win."""

    def __init__(self, n=12, dim=10):
        g = torch.Generator().manual_seed(41)
        self.funny = torch.randn(n, dim, generator=g) + 0.5
        self.dull = torch.randn(n, dim, generator=g) - 0.5

    def __len__(self):
        return len(self.funny)

    def __getitem__(self, i):
        return self.funny[i], self.dull[i], torch.tensor(1.0)


class Humour(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, joke):
        return self.mlp(joke).squeeze(-1)


def train(batch_size=1, epochs=2):
    torch.manual_seed(41)
    model = Humour()
    loss_fn = nn.MarginRankingLoss(margin=1.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        total = 0.0
        for funny, dull, target in DataLoader(JokePairs(), batch_size=batch_size):
            win, lose = model(funny), model(dull)
            loss = loss_fn(win, lose, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} total {total:.4f}")


train()
