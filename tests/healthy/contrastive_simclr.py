"""SimCLR: every view against every other view of the batch (NT-Xent), on purpose."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n=40):
        g = torch.Generator().manual_seed(23)
        self.points = torch.randn(n, 12, generator=g)

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        p = self.points[i]
        return p + 0.1 * torch.randn_like(p), p * (1 + 0.1 * torch.randn(1)), i


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(12, 32), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))

    def forward(self, x):
        return F.normalize(self.projector(self.backbone(x)), dim=1)


def nt_xent(z1, z2, temperature=0.2):
    n = z1.size(0)
    z = torch.cat([z1, z2], dim=0)
    similarity = z @ z.t() / temperature
    similarity = similarity.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    partner = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(similarity, partner)


def nearest_is_partner(z1, z2):
    return ((z1 @ z2.t()).argmax(dim=1) == torch.arange(len(z1))).float().mean().item()


torch.manual_seed(23)
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    for a, b, _ in DataLoader(TwoViews(), batch_size=9, shuffle=True):
        z1, z2 = model(a), model(b)
        loss = nt_xent(z1, z2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f} found {nearest_is_partner(z1.detach(), z2.detach()):.2f}")
