import torch
import torch.nn.functional as F
from torch import nn

from hourglass import Hourglass


class KPDetector(nn.Module):
    def __init__(self, num_kp, num_channels, temperature, scale_factor, block_expansion, max_features, num_blocks):
        super().__init__()
        self.temperature, self.scale_factor = temperature, scale_factor
        self.predictor = Hourglass(block_expansion, num_channels, num_blocks, max_features)
        self.kp = nn.Conv2d(self.predictor.out_filters, num_kp, 3, padding=1)

    def forward(self, x):
        x = F.avg_pool2d(x, self.scale_factor)
        maps = self.kp(self.predictor(x))
        b, k, h, w = maps.shape
        heat = (maps.flatten(2) / self.temperature).softmax(-1).view(b, k, h, w)
        ys, xs = torch.linspace(-1, 1, h), torch.linspace(-1, 1, w)
        return torch.stack([(heat.sum(2) * xs).sum(-1), (heat.sum(3) * ys).sum(-1)], -1)
