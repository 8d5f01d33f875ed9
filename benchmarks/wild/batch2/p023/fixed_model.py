import torch
import torch.nn as nn

from fixed_walk import CurveGrouping


class CurveNetLite(nn.Module):
    def __init__(self, num_classes, width=16, curve_num=10, curve_len=4):
        super().__init__()
        self.lift = nn.Sequential(nn.Conv1d(3, width, 1), nn.BatchNorm1d(width), nn.ReLU())
        self.grouping = CurveGrouping(width, k=6, curve_num=curve_num, curve_length=curve_len)
        self.conv = nn.Sequential(nn.Conv1d(width, 2 * width, 1), nn.BatchNorm1d(2 * width), nn.ReLU())
        self.head = nn.Linear(3 * width, num_classes)

    def forward(self, xyz):
        feature = self.lift(xyz)
        curves = self.grouping(feature, xyz)
        point = self.conv(feature).amax(-1)
        return self.head(torch.cat([point, curves.mean((2, 3))], dim=1))
