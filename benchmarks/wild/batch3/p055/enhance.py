import torch
from torch import nn


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2d(c, c, 3, padding=1))

    def forward(self, x):
        return x + self.body(x)


class Enhancer(nn.Module):
    """Predicts a gain and an offset for every pixel."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.head = nn.Conv2d(3, channels, 3, padding=1)
        self.body = nn.Sequential(*[ResBlock(channels) for _ in range(blocks)])
        self.gain = nn.Conv2d(channels, 3, 1)
        self.offset = nn.Conv2d(channels, 3, 1)

    def forward(self, x):
        feats = self.body(self.head(x))
        return torch.clamp(x * (1 + torch.relu(self.gain(feats))) + self.offset(feats), 0, 1)
