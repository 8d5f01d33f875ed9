import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def squash(s, dim=-1):
    square = (s**2).sum(dim=dim, keepdim=True)
    return square / (1 + square) * s / (square + 1e-8).sqrt()


class Capsules(nn.Module):
    """Routing by agreement: couplings are a softmax over the classes, sums run over the parts."""

    def __init__(self, parts=9, d_in=4, classes=3, d_out=6, rounds=2):
        super().__init__()
        self.weight = nn.Parameter(0.1 * torch.randn(1, parts, classes, d_out, d_in))
        self.rounds = rounds

    def forward(self, u):
        votes = (self.weight @ u[:, :, None, :, None]).squeeze(-1)  # (B, P, C, O)
        logits = torch.zeros(votes.shape[:3])
        for i in range(self.rounds):
            c = logits.softmax(dim=2)
            v = squash((c.unsqueeze(-1) * votes).sum(dim=1))
            if i < self.rounds - 1:
                logits = logits + (votes.detach() * v.detach().unsqueeze(1)).sum(dim=-1)
        return v


class CapsNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, stride=3)
        self.caps = Capsules()

    def forward(self, x):
        u = self.conv(x).flatten(2).transpose(1, 2)
        return self.caps(squash(u)).norm(dim=-1)


def margin_loss(length, target):
    hot = F.one_hot(target, length.size(1)).float()
    left = hot * F.relu(0.9 - length) ** 2
    right = (1 - hot) * F.relu(length - 0.1) ** 2
    return (left + 0.5 * right).sum(dim=1).mean()


torch.manual_seed(50)
kind = torch.arange(42) % 3
images = 0.1 * torch.randn(42, 1, 9, 9)
images[torch.arange(42), 0, kind * 3, :] += 1
model = CapsNet()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in DataLoader(TensorDataset(images, kind), batch_size=10, shuffle=True):
        loss = margin_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
