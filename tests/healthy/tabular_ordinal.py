"""Ordinal regression (five stars) by cumulative links: each row asks `is it above k?` four times."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LEVELS = 5


class Ordinal(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.score = nn.Linear(features, 1, bias=False)
        self.first = nn.Parameter(torch.tensor(-1.5))
        self.gaps = nn.Parameter(torch.zeros(LEVELS - 2))

    def cuts(self):
        return torch.cat([self.first.view(1), self.first + F.softplus(self.gaps).cumsum(0)])

    def forward(self, x):
        return self.score(x) - self.cuts()  # (B, 1) - (K-1,) -> (B, K-1)


def encode(stars):
    return (stars.unsqueeze(1) > torch.arange(LEVELS - 1)).float()


torch.manual_seed(13)
x = torch.randn(66, 4)
taste = x @ torch.tensor([1.0, -1.0, 0.5, 0.0]) + 0.3 * torch.randn(66)
stars = torch.bucketize(taste, torch.tensor([-1.2, -0.4, 0.4, 1.2]))
model = Ordinal(4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(4):
    off = 0
    for xb, sb in DataLoader(TensorDataset(x, stars), batch_size=16, shuffle=True):
        logits = model(xb)
        loss = F.binary_cross_entropy_with_logits(logits, encode(sb))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        level = (logits.detach().sigmoid() > 0.5).sum(dim=1)
        off += (level - sb).abs().sum().item()
    print(f"epoch {epoch} loss {loss.item():.3f} mean level error {off / 66:.3f}")
