import torch
from torch import nn


class VelocityNet(nn.Module):
    def __init__(self, dim, classes, width=48):
        super().__init__()
        self.label = nn.Embedding(classes, width)
        self.inp = nn.Linear(dim + 1, width)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x, t, y):
        return self.out(self.inp(torch.cat([x, t], dim=1)) + self.label(y))


def flow_loss(model, x, y, g):
    noise = torch.randn(x.shape, generator=g)
    t = torch.rand(len(x), 1, generator=g)
    x_t = (1 - t) * x + t * noise
    return (model(x_t, t, y) - (noise - x)).pow(2).mean()
