import torch
from torch import nn


class FrameMover(nn.Module):
    """Shifts the source by a learned mix of key-point motions."""

    def __init__(self, num_kp, num_channels, hidden):
        super().__init__()
        self.shift = nn.Sequential(nn.Linear(4 * num_kp, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, source, kp_source, kp_driving):
        d = self.shift(torch.cat([kp_source, kp_driving], -1).flatten(1))
        theta = torch.eye(2, 3).repeat(len(source), 1, 1)
        theta = torch.cat([theta[..., :2], d.unsqueeze(-1)], -1)
        grid = nn.functional.affine_grid(theta, source.shape, align_corners=False)
        return nn.functional.grid_sample(source, grid, align_corners=False)
