import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, noise=4):
        super().__init__()
        self.noise = noise
        self.encode = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(128, 24))
        self.decode = nn.Sequential(
            nn.Linear(24 + noise, 16 * 16), nn.ReLU(), nn.Unflatten(1, (16, 4, 4)),
            nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(8, 1, 4, 2, 1))

    def forward(self, picture):
        z = torch.randn(len(picture), self.noise)
        h = self.encode(picture)
        return self.decode(torch.cat([h, z], dim=1)), h


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2))
        self.out = nn.Linear(16 * 16 + 24, 1)

    def forward(self, spec, features):
        return self.out(torch.cat([self.conv(spec).flatten(1), features], dim=1))
