import torch.nn as nn
import torch.nn.functional as F


class FPN(nn.Module):
    def __init__(self, out_channels=16, classes=3):
        super().__init__()
        self.c1 = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.c3 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.lat2 = nn.Conv2d(16, out_channels, 1)
        self.lat3 = nn.Conv2d(32, out_channels, 1)
        self.smooth = nn.Conv2d(out_channels, classes, 3, padding=1)

    def forward(self, x):
        c1 = F.relu(self.c1(x))
        c2 = F.relu(self.c2(c1))
        c3 = F.relu(self.c3(c2))
        p3 = self.lat3(c3)
        p2 = self.lat2(c2) + F.interpolate(p3, scale_factor=2, mode="nearest")
        out = self.smooth(p2)
        return F.interpolate(out, size=x.shape[-2:], mode="bilinear", align_corners=False)
