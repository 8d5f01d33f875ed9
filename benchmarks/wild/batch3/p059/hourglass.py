import torch
import torch.nn.functional as F
from torch import nn


def block(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1), nn.BatchNorm2d(c_out), nn.ReLU())


class Hourglass(nn.Module):
    def __init__(self, block_expansion, in_features, num_blocks, max_features):
        super().__init__()
        width = [min(max_features, block_expansion * 2 ** i) for i in range(num_blocks + 1)]
        down, up = [], []
        for i in range(num_blocks):
            down.append(block(in_features if i == 0 else width[i], width[i + 1]))
        for i in reversed(range(num_blocks)):
            c_in = width[i + 1] if i == num_blocks - 1 else width[i + 1] * 2
            up.append(block(c_in, width[i] if i else block_expansion))
        self.down, self.up = nn.ModuleList(down), nn.ModuleList(up)
        self.out_filters = block_expansion + in_features

    def forward(self, x):
        outs = [x]
        for layer in self.down:
            outs.append(F.avg_pool2d(layer(outs[-1]), 2))
        out = outs.pop()
        for layer in self.up:
            out = layer(F.interpolate(out, scale_factor=2))
            skip = outs.pop()
            out = torch.cat([out, skip], dim=1)
        return out
