import math

import torch


def spiral(n, turns=1.5):
    g = torch.Generator().manual_seed(8)
    t = torch.linspace(0.2, 1, n)
    angle = 2 * math.pi * turns * t
    points = torch.stack([t * torch.cos(angle), t * torch.sin(angle)], dim=1)
    return points + 0.02 * torch.randn(n, 2, generator=g)
