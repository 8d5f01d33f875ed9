import torch
import torch.nn as nn
import torch.nn.functional as F


class GridDetector(nn.Module):
    def __init__(self, grid, num_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 24, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(grid))
        self.loc = nn.Conv2d(24, 4, 1)
        self.conf = nn.Conv2d(24, num_classes + 1, 1)

    def forward(self, x):
        f = self.features(x)
        return self.loc(f).permute(0, 2, 3, 1), self.conf(f).permute(0, 2, 3, 1)


class GridLoss(nn.Module):
    """the cell with the center of a box predicts it"""

    def __init__(self, grid):
        super().__init__()
        self.grid = grid

    def forward(self, predictions, targets):
        loc, conf = predictions
        conf_t = torch.zeros(conf.shape[:3], dtype=torch.long)
        loc_t = torch.zeros_like(loc)
        for b, target in enumerate(targets):
            centers = ((target[:, :2] + target[:, 2:4]) / 2 * self.grid).long().clamp(max=self.grid - 1)
            conf_t[b, centers[:, 1], centers[:, 0]] = target[:, 4].long() + 1
            loc_t[b, centers[:, 1], centers[:, 0]] = target[:, :4]
        pos = conf_t > 0
        loss_l = F.smooth_l1_loss(loc[pos], loc_t[pos])
        loss_c = F.cross_entropy(conf.flatten(0, 2), conf_t.flatten())
        return loss_l, loss_c
