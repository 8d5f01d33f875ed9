"""Colours along rays: the width of each sample meets the density of that sample."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
SAMPLES = 6
widths = torch.full((SAMPLES,), 0.2)
field = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(field.parameters(), lr=1e-3)
rays = TensorDataset(torch.randn(22, SAMPLES, 3), torch.rand(22, 3))
for points, seen in DataLoader(rays, batch_size=8):
    said = field(points)
    colours, density = said[..., :3].sigmoid(), said[..., 3:].relu()
    opacity = 1 - torch.exp(-density * widths[:, None])
    loss = (((opacity * colours).sum(1) - seen) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
