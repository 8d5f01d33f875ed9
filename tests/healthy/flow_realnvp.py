"""A normalising flow: coupling layers, change of variables, samples by the inverse."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Coupling(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 4))
        self.scale = nn.Parameter(torch.zeros(2))

    def parts(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        s = torch.tanh(s) * self.scale
        return s * (1 - self.mask), t * (1 - self.mask)

    def forward(self, x):
        s, t = self.parts(x)
        return x * s.exp() + t, s.sum(dim=1)

    def inverse(self, z):
        s, t = self.parts(z)
        return (z - t) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        masks = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]
        self.layers = nn.ModuleList(Coupling(masks[i % 2]) for i in range(layers))

    def log_prob(self, x):
        log_det = torch.zeros(x.size(0))
        for layer in self.layers:
            x, d = layer(x)
            log_det = log_det + d
        base = -0.5 * (x**2 + math.log(2 * math.pi)).sum(dim=1)
        return base + log_det

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


torch.manual_seed(47)
u = torch.randn(70)
moons = torch.stack([u, u**2 * 0.5 + 0.2 * torch.randn(70)], dim=1)
flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=5e-3)
for epoch in range(3):
    for (x,) in DataLoader(TensorDataset(moons), batch_size=16, shuffle=True):
        loss = -flow.log_prob(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} nll {loss.item():.3f}")
print(tuple(flow.sample(5).shape))
