import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, dim, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim + 1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x, logsnr):
        return self.net(torch.cat([x, logsnr.unsqueeze(1) / 4], dim=1))
