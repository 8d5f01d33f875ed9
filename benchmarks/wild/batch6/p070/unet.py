import torch
from torch import nn
import torch.nn.functional as F


class SmallUNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width))
        self.inp = nn.Conv2d(6, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(width, width, 4, stride=2, padding=1)
        self.out = nn.Conv2d(2 * width, 3, 3, padding=1)

    def forward(self, x, gamma):
        h = F.silu(self.inp(x) + self.time(gamma)[:, :, None, None])
        u = F.silu(self.up(F.silu(self.mid(h))))
        return self.out(torch.cat([h, u], dim=1))
