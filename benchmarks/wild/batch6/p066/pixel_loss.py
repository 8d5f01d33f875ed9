from torch import nn


class ConstrastiveThresholdLoss(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, change):
        distance = (a - b).pow(2).sum(dim=1).add(1e-8).sqrt()
        far = (self.margin - distance).clamp(min=0)
        return ((1 - change) * distance.pow(2) + change * far.pow(2)).mean()
