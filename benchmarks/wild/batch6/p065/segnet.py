import torch
from torch import nn


class SegNet(nn.Module):
    def __init__(self, classes, width=8):
        super().__init__()
        self.a = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.b = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.out = nn.Conv2d(2 * width, classes, 1)

    def forward(self, x):
        a = self.a(x)
        return self.out(torch.cat([a, self.up(self.b(a))], dim=1))
