from torch import nn

from fixed_function import L2Normalization


class Branch(nn.Module):
    def __init__(self, channels, norm):
        super().__init__()
        sizes = [3, *channels]
        self.stages = nn.ModuleList(
            nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU())
            for a, b in zip(sizes, sizes[1:]))
        self.norm = L2Normalization() if norm else nn.Identity()

    def forward(self, x):
        maps = []
        for stage in self.stages:
            x = stage(x)
            maps.append(self.norm(x))
        return maps


class SiameseNet(nn.Module):
    def __init__(self, channels, norm):
        super().__init__()
        self.branch = Branch(channels, norm)

    def forward(self, t0, t1):
        return list(zip(self.branch(t0), self.branch(t1)))
