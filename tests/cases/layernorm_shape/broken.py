import torch
from torch import nn


class MixerBlock(nn.Module):
    """Mixes along time, then along width."""

    def __init__(self, steps, width):
        super().__init__()
        self.norm1 = nn.LayerNorm(steps)
        self.time_mix = nn.Linear(steps, steps)
        self.norm2 = nn.LayerNorm(width)
        self.width_mix = nn.Linear(width, width)

    def forward(self, x):
        y = self.norm1(x).transpose(1, 2)
        x = x + self.time_mix(y).transpose(1, 2)
        return x + self.width_mix(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, steps=15, width=10, depth=2):
        super().__init__()
        self.embed = nn.Linear(2, width)
        self.blocks = nn.Sequential(*(MixerBlock(steps, width) for _ in range(depth)))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.blocks(self.embed(x)).mean(dim=1))


torch.manual_seed(85)
orbits = torch.randn(30, 15, 2).cumsum(dim=1)
radius = orbits.norm(dim=2).mean(dim=1, keepdim=True)
model = Mixer()
mse = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(4):
    for x, y in zip(orbits.split(6), radius.split(6)):
        loss = mse(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} mse {loss.item():.4f}")
